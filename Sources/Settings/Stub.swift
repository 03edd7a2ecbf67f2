enum SettingsStub {}
