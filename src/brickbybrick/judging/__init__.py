"""Judgements on finished models, whoever built them: can it be built by hand, does it stand, what would mend it?"""
