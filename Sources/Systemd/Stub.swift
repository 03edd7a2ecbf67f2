enum SystemdStub {}
