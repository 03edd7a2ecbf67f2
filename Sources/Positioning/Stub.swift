enum PositioningStub {}
