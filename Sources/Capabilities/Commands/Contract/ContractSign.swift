import ArgumentParser
import CloudCommands
import GatewayModel
import RealTime
import SOSLocal

/// `homegateway contract sign`
struct ContractSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a command with an issuer's private key.",
        discussion: """
            Reads the command, the JSON of cmd alone such as
              {"type": "drill", "person": "maria"}
            and prints one line to be published to trackme/v1/GATEWAY/commands.
            With --raw it signs the input as it is, right or wrong: for tests of the
            gateway's answers.

            Without --seq, the number is the time in milliseconds.
            """)

    @Argument(help: ArgumentHelp("The command. Default: standard input.", valueName: "file"))
    var path: String?

    @Option(name: .long, help: ArgumentHelp("The private JWK, with d and kid.", valueName: "file"))
    var key: String

    @Option(
        name: .long, help: ArgumentHelp("The issuer, as the gateway's settings name it: iss.", valueName: "id"))
    var issuer: String?

    @Option(name: .long, help: ArgumentHelp("The gateway: aud.", valueName: "id"))
    var gateway: String?

    @Option(name: .long, help: ArgumentHelp("Name of the person who asks.", valueName: "name"))
    var by: String?

    @Option(name: .long, help: "Sequence number, higher than in every earlier command of this issuer.")
    var seq: Int64?

    @Option(name: .long, help: ArgumentHelp("Its id. Default: a new one.", valueName: "id"))
    var jti: String?

    @Option(name: .long, help: ArgumentHelp("Time for which it is valid.", valueName: "seconds"))
    var lives: Int64 = 300

    @Flag(name: .long, help: "The input holds all claims.")
    var raw = false

    func validate() throws {
        guard raw || issuer != nil && gateway != nil else {
            throw ValidationError("give --issuer and --gateway, or --raw if the input holds all claims")
        }
    }

    func run() throws {
        let signer: IssuerSigner
        do throws(PinnedKey.Fault) {
            signer = try IssuerSigner(jwk: try ContractInput.bytes(key))
        } catch {
            throw ValidationError("\(key): \(error)")
        }
        let input = try path.map(ContractInput.contents) ?? ContractInput.standardInput()
        let token = try signer.sign(claims: raw ? input : claims(input))
        print(String(decoding: token, as: UTF8.self))
    }

    private func claims(_ command: [UInt8]) throws -> [UInt8] {
        guard let issuer = issuer.flatMap({ IssuerID($0) }), let gateway = gateway.flatMap({ GatewayID($0) })
        else { throw ValidationError("--issuer and --gateway: expected \(IssuerID.form)") }
        let now = Clock.wall()
        do throws(PinnedKey.Fault) {
            return try IssuerSigner.claims(
                of: command, from: issuer, to: gateway, by: by, sequence: seq ?? now.millisecondsSince1970,
                id: jti ?? MessageID.random(at: now).description, at: now, life: .seconds(lives))
        } catch {
            throw ValidationError(error.description)
        }
    }
}

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
        transform: NameArgument.parse)
    var issuer: IssuerID

    @Option(
        name: .long, help: ArgumentHelp("The gateway: aud.", valueName: "id"), transform: NameArgument.parse)
    var gateway: GatewayID

    @Option(
        name: .long, help: ArgumentHelp("The person who needs help.", valueName: "id"),
        transform: NameArgument.parse)
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

    private static func alarm(_ text: String) throws -> AlarmID {
        guard let alarm = AlarmID(text) else {
            throw ValidationError("'\(text)' is no alarm id; expected a UUID, as the sos message has it")
        }
        return alarm
    }
}
