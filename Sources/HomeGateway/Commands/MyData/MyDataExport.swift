import ArgumentParser
import GatewayModel
import Settings
import Vault

/// `homegateway my-data export`
struct MyDataExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all that is kept about a person into a new folder.",
        discussion: """
            As JSON, as CSV, and as one FHIR R4 Bundle. The folder is readable by
            whoever makes it, and by nobody else.
            """)

    @Option(name: .long, help: ArgumentHelp("Whose: the person's id in the settings.", valueName: "id"))
    var person: String

    @Option(name: .long, help: ArgumentHelp("A folder that is not there yet.", valueName: "folder"))
    var to: String

    @OptionGroup var file: SettingsOption

    func run() throws {
        guard let id = PersonID(person) else {
            throw ValidationError("--person: '\(person)' is none; expected \(PersonID.form)")
        }
        let settings = try file.loadWithoutDevices()
        let source = MyDataSource(person: id, socket: settings.gateway.controlSocket)
        do {
            // Before the folder: where the gateway does not answer there is nothing to leave behind.
            let first = try source.page(from: 0)
            let folder = try ExportFolder(at: to)
            var export = PersonExport(id, of: settings.gateway.id, from: source, into: folder)
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
