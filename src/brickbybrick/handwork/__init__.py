"""How a model is put together by hand: what of it is built apart, in which steps, and whether that can be done."""
