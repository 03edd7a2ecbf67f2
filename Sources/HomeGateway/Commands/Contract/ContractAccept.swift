import Alarms
import ArgumentParser
import CloudCommands
import GatewayModel
import Hub
import RealTime
import SOSLocal

/// `homegateway contract accept`
struct ContractAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Sign the acceptance of a call for help with an issuer's private key.",
        discussion: """
            Prints one line, to be published to trackme/v1/GATEWAY/sos/PERSON/accepted
            with QoS 1, not retained. It ends the calling for this one alarm.
            """)

    @Option(name: .long, help: ArgumentHelp("The private JWK, with d and kid.", valueName: "file"))
    var key: String

    @Option(
        name: .long,
        help: ArgumentHelp("The issuer, as the gateway's settings name it: iss.", valueName: "id"),
        transform: ContractAccept.name)
    var issuer: IssuerID

    @Option(
        name: .long, help: ArgumentHelp("The gateway: aud.", valueName: "id"), transform: ContractAccept.name)
    var gateway: GatewayID

    @Option(
        name: .long, help: ArgumentHelp("The person who needs help.", valueName: "id"),
        transform: ContractAccept.name)
    var person: PersonID

    @Option(
        name: .long, help: ArgumentHelp("The alarm, as the sos message names it.", valueName: "id"),
        transform: ContractAccept.alarm)
    var alarm: AlarmID

    @Option(name: .long, help: ArgumentHelp("The person who has taken the call.", valueName: "name"))
    var by: String

    func validate() throws {
        guard PlainText.holds(by, 1...200) else {
            throw ValidationError("--by: expected a name in plain text, 1 to 200 characters")
        }
    }

    func run() throws {
        let signer: IssuerSigner
        do throws(PinnedKey.Fault) {
            signer = try IssuerSigner(jwk: try ContractInput.bytes(key))
        } catch {
            throw ValidationError("\(key): \(error)")
        }
        let token = try signer.accept(alarm, of: person, by: by, from: issuer, to: gateway, at: Clock.wall())
        print(String(decoding: token, as: UTF8.self))
    }

    private static func name<ID: Name>(_ text: String) throws -> ID {
        guard let id = ID(text) else { throw ValidationError("'\(text)' is no id; expected \(ID.form)") }
        return id
    }

    private static func alarm(_ text: String) throws -> AlarmID {
        guard let alarm = AlarmID(text) else {
            throw ValidationError("'\(text)' is no alarm id; expected a UUID, as the sos message has it")
        }
        return alarm
    }
}
