import ArgumentParser
import GatewayModel
import Hub
import SettingsService

/// `homegateway devices battery`
struct DevicesBattery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "battery",
        abstract: "Confirm that the battery of an advertising device was changed.",
        discussion: """
            A device with a new battery counts its adverts from 0 again, as a replayed
            recording does. Until a person confirms the change here, such an advert
            calls for help and cannot cancel. Press the device's button near the box
            first; the running gateway counts from that press on.
            """)

    @Argument(help: ArgumentHelp("Its id.", valueName: "id"), transform: DeviceArgument.device)
    var id: DeviceID

    @OptionGroup var who: WhoOption
    @OptionGroup var gateway: GatewayOption

    func run() throws {
        try gateway.ask(ControlRequest(.confirmBattery, by: who.name, subject: id.text))
    }
}
