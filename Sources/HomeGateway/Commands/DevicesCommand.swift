import ArgumentParser

/// `homegateway devices …`
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Find wearables, pair them, choose what of them counts.",
        discussion: """
            A new wearable:
              1. homegateway devices scan          wear it, bring it near
              2. homegateway devices pair ADDRESS --id strap --person maria
              3. homegateway watch                 its readings, as they arrive

            These work on bluetoothd directly, whether the gateway runs or not. What
            they write goes to devices.toml in the state directory; what is written
            by hand in gateway.toml is never changed.
            """,
        subcommands: [
            DevicesScan.self, DevicesPair.self, DevicesList.self, DevicesShow.self, DevicesTrack.self,
            DevicesBattery.self, DevicesForget.self,
        ])
}
