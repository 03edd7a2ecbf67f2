import ArgumentParser
import CloudCommands
import FoundationEssentials
import GatewayModel
import RealTime
import Settings
import SettingsReading
import SignedCommands
import Vault

/// `homegateway contract …`
struct ContractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contract",
        abstract: "For developers of the cloud side: sign commands and acceptances, check receipts.",
        discussion: """
            keys     the gateway's public key, and the issuers that it accepts
            new-key  a key pair for an issuer
            claim    the code by which an installer adds this box to a fleet
            sign     a command, with an issuer's private key
            accept   the acceptance of a call for help, with an issuer's private key
            verify   receipts of a gateway
            replay   send signed commands to a gateway, and show its receipts

            A first command:
              homegateway contract new-key issuer.jwk > trackme.jwks
              homegateway contract keys --jwks > gateway.jwks
              echo '{"type": "drill", "person": "maria"}' \\
                | homegateway contract sign --key issuer.jwk --issuer trackme --gateway house-12 \\
                | homegateway contract replay --receipts gateway.jwks --broker localhost --gateway house-12

            More in docs/integrator/commands.md.
            """,
        subcommands: [
            ContractKeys.self, ContractNewKey.self, ContractClaim.self, ContractSign.self, ContractAccept.self,
            ContractVerify.self,
            ContractReplay.self,
        ])
}

/// Input of the contract commands: files that a developer names.
enum ContractInput {
    /// Reads a file with a key.
    static func bytes(_ path: String) throws(PinnedKey.Fault) -> [UInt8] {
        do {
            return try contents(path)
        } catch {
            throw PinnedKey.Fault(description: "\(error)")
        }
    }

    static func contents(_ path: String) throws -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ValidationError("\(path) cannot be read: check the path")
        }
    }

    static func standardInput() -> [UInt8] {
        var text = ""
        while let line = readLine(strippingNewline: false) { text += line }
        return Array(text.utf8)
    }

    /// Reads tokens, one on each line.
    static func lines(_ path: String?) throws -> [[UInt8]] {
        let bytes = try path.map(contents) ?? standardInput()
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
        }
    }

    /// Reads the gateway's key, from a JWK set or alone.
    static func receiptCheck(_ path: String) async throws -> ReceiptCheck {
        let bytes = try contents(path)
        do {
            let keys = try await PinnedIssuer.keys(in: bytes)
            guard let key = keys.first, keys.count == 1 else {
                throw ValidationError("\(path): expected the key of one gateway")
            }
            return try await ReceiptCheck(jwk: Array(key.jwk.utf8))
        } catch let fault as PinnedKey.Fault {
            throw ValidationError("\(path): \(fault)")
        }
    }

    /// The gateway's own key, made at its first start.
    static func identity(of gateway: GatewaySettings.Gateway) throws -> GatewayIdentity {
        let seed: [UInt8]?
        do throws(IdentityFile.Unusable) {
            seed = try IdentityFile(stateDirectory: gateway.stateDirectory).loadIfAny()
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode.unavailable
        }
        guard let seed, let identity = GatewayIdentity(gateway: gateway.id, seed: seed) else {
            SettingsOption.complain(
                "the gateway has no key yet: it makes one at its first start; see: systemctl start homegateway")
            throw ExitCode.unavailable
        }
        return identity
    }
}

/// `homegateway contract keys`
struct ContractKeys: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Show the gateway's public key, and the issuers that it accepts.",
        discussion: """
            The key is made when the gateway starts for the first time; the cloud
            checks receipts by it. Private keys are never shown.
            """)

    @Flag(name: .long, help: "Only the gateway's key, as a JWK set: for a file.")
    var jwks = false

    @OptionGroup var file: SettingsOption

    func run() async throws {
        let settings = try file.loadWithoutDevices()
        let identity = try ContractInput.identity(of: settings.gateway)
        guard !jwks else { return print("{\"keys\":[\(identity.publicJWK)]}") }
        print("\(settings.gateway.id), this gateway:\n  \(identity.publicJWK)")
        let reader = StateReader(in: settings.gateway.stateDirectory)
        let commands = try? CommandRows { table throws(DiskFailure) in try reader.rows(of: table).rows }
        do throws(SettingsError) {
            let successors = commands?.successors ?? [:]
            for issuer in try await settings.commands.issuers.pinned(rotatedBy: successors) {
                print("\(issuer.id) may: \(issuer.may.map(\.rawValue).sorted().joined(separator: ", "))")
                for key in issuer.keys { print("  \(key.jwk)") }
                if let last = commands?.journal.sequence(of: issuer.id), last > 0 {
                    print("  its last seq was \(last)")
                }
            }
        } catch {
            SettingsOption.complain(error.description)
            throw ExitCode.settingsWrong
        }
        if settings.commands.issuers.isEmpty {
            print("no commands are accepted: the settings name no [[commands.issuers]]")
        }
    }
}

/// `homegateway contract claim`
struct ContractClaim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Show the code by which an installer adds this box to a fleet.",
        discussion: """
            Paste it at "Add a box" of the fleet's page within the hour. It has the
            name and the public key of this box, signed by the box; nothing secret.
            """)

    @OptionGroup var file: SettingsOption

    func run() throws {
        let settings = try file.loadWithoutDevices()
        print(try ContractInput.identity(of: settings.gateway).claim(at: Clock.wall()))
    }
}

/// `homegateway contract verify`
struct ContractVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check receipts of a gateway, and print their claims.",
        discussion: """
            Reads receipts, one a line, and prints the claims of each valid one. Exit
            code: 1 where one is invalid.
            """)

    @Argument(help: ArgumentHelp("The receipts. Default: standard input.", valueName: "file"))
    var path: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The gateway's public key, of homegateway contract keys --jwks.", valueName: "file"))
    var key: String

    func run() async throws {
        let check = try await ContractInput.receiptCheck(key)
        var areAllGood = true
        for receipt in try ContractInput.lines(path) {
            do throws(CommandRefusal) {
                print(String(decoding: try check.claims(of: receipt), as: UTF8.self))
            } catch {
                SettingsOption.complain("\(error.reason.rawValue): \(error.detail)")
                areAllGood = false
            }
        }
        guard areAllGood else { throw ExitCode(1) }
    }
}
