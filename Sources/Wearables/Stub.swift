enum WearablesStub {}
