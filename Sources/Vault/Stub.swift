enum VaultStub {}
