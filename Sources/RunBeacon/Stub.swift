enum RunBeaconStub {}
