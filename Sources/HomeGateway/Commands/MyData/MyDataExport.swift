import ArgumentParser
import GatewayModel
import Hub
import Vault

/// `homegateway my-data export`
struct MyDataExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all data about a person into a new folder.",
        discussion: """
            It writes JSON, CSV, and one FHIR R4 Bundle. Only the user who runs the command
            can read the folder.
            """)

    @Option(name: .long, help: ArgumentHelp("The person, by the id in the settings.", valueName: "id"))
    var person: String

    @Option(name: .long, help: ArgumentHelp("The folder. It must not exist yet.", valueName: "folder"))
    var to: String

    @OptionGroup var gateway: GatewayOption

    func run() throws {
        guard let id = PersonID(person) else {
            throw ValidationError("--person: '\(person)' is none; expected \(PersonID.form)")
        }
        let source = MyDataSource(person: id, socket: gateway.place)
        do {
            // Before the folder: where the gateway does not answer there is nothing to leave behind.
            let first = try source.page(from: 0)
            let folder = try ExportFolder(at: to)
            var export = PersonExport(id, of: try first.gatewayID, from: source, into: folder)
            for line in try export.write(beginningWith: first) { Shown.line(line) }
        } catch let error as ControlError {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        } catch let error as ExportFolder.Failure {
            SettingsOption.complain(error.description)
            throw ExitCode(1)
        }
    }
}
