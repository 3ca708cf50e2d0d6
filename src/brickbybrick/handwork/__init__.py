"""How a model is put together by hand: which parts of it are built apart, in which steps, and whether that can be done."""
