enum WireFormatsStub {}
