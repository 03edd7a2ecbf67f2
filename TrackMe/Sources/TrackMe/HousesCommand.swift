import Accounts
import ArgumentParser
import CloudCommands
import Desk
import Foundation
import GatewayModel
import Houses
import PageSecurity
import RealTime
import SQLDatabase
import Schema
import ServerSettings
import Store

/// `trackme houses`
struct Houses: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "houses", abstract: "Houses whose messages the server takes.",
        subcommands: [Add.self, Give.self, List.self, Remove.self, Token.self], defaultSubcommand: List.self)

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Register a house with its key, or replace its key.",
            discussion: "The key is what 'homegateway contract keys --jwks' shows in the house.")

        @Argument(help: ArgumentHelp("The ID of the gateway.", valueName: "gateway"))
        var gateway: String

        @Option(name: .long, help: ArgumentHelp("The gateway's public key (JWKS).", valueName: "file"))
        var key: String

        @OptionGroup var config: ConfigOption

        func run() async throws {
            guard let id = GatewayID(gateway) else {
                throw ValidationError("gateway: saw '\(gateway)', expected \(GatewayID.form)")
            }
            let settings = try config.load()
            let bytes: Data
            do { bytes = try Data(contentsOf: URL(filePath: key)) } catch {
                throw ValidationError("\(key): \(error.localizedDescription). Check the path.")
            }
            let jwk = try Self.key(in: Array(bytes), path: key)
            do throws(PinnedKey.Fault) { _ = try await ReceiptCheck(jwk: Array(jwk.utf8)) } catch {
                throw ValidationError("\(key): \(error)")
            }
            let stores = Stores(in: try settings.openDatabase())
            try await stores.houses.register(House(gateway: id, key: jwk, added: Clock.wall()))
            print("registered: \(id)")
        }

        /// The one key of a JWK or a JWKS.
        private static func key(in bytes: [UInt8], path: String) throws -> String {
            let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            let keys = object?["keys"] as? [[String: Any]] ?? object.map { [$0] } ?? []
            guard keys.count == 1 else {
                throw ValidationError(
                    "\(path): saw \(keys.count) keys, expected the one of the gateway as JSON. Copy it anew: homegateway contract keys --jwks"
                )
            }
            return String(
                decoding: try JSONSerialization.data(withJSONObject: keys[0], options: .sortedKeys),
                as: UTF8.self)
        }
    }

    struct Give: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "give", abstract: "Put the box of a registered house into a fleet of installers.",
            discussion: "It leaves the fleet it was in. Installers add new boxes themselves, by a code.")

        @Argument(help: ArgumentHelp("The ID of the gateway.", valueName: "gateway"))
        var gateway: String

        @Option(name: .long, help: "The fleet: the name of the installers' company.")
        var fleet: String

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let fleet = try FleetName(argument: fleet)
            let stores = Stores(in: try config.load().openDatabase())
            guard let id = GatewayID(gateway),
                try await stores.fleets.give(id, to: fleet, by: "operator", at: Clock.wall())
            else {
                throw ValidationError("gateway: saw '\(gateway)', expected one of trackme houses list")
            }
            print("given: \(id) to \(fleet)")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the houses, with the fleets of their boxes.")

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let stores = Stores(in: try config.load().openDatabase())
            let fleets = try await stores.fleets.fleets()
            for house in try await stores.houses.houses() {
                print(fleets[house.gateway].map { "\(house.gateway)  \($0)" } ?? "\(house.gateway)")
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a house with the data of its persons, for ever.",
            discussion:
                "Links and requests of companies end, and the house is told for a day. Calls at the desk, results of runs and the "
                + "audit log stay. A house with an open call is not removed.")

        @Argument(help: ArgumentHelp("The ID of the gateway.", valueName: "gateway"))
        var gateway: String

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let settings = try config.load()
            let file = try settings.openDatabase()
            let stores = Stores(in: file)
            let links = LinkService(
                links: stores.links, signer: try Secrets(settings).signer, issuer: settings.issuer,
                operatorName: settings.operatorName, clock: { Clock.wall() })
            guard let id = GatewayID(gateway) else { throw Self.unknown(gateway) }
            do {
                let ended = try await Schema.removeHouse(id, by: Operator.name, at: Clock.wall(), in: file) {
                    try links.lastWithdrawal(of: $0, in: id, sequence: $1)
                }
                guard let ended else { throw Self.unknown(gateway) }
                _ = try await stores.retention.emptyLog()
                print("removed: \(id), ended requests: \(ended)")
                print("The broker still lets the house in: remove its user, or its certificate, there.")
            } catch is OpenCallAtHouse {
                throw ValidationError(
                    "gateway: \(id) has an open call at the desk; close the call there, and try again")
            }
        }

        private static func unknown(_ gateway: String) -> ValidationError {
            ValidationError("gateway: saw '\(gateway)', expected one of trackme houses list")
        }
    }

    struct Token: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "token", abstract: "Give a house a token for calls to the desk over HTTPS.",
            discussion:
                "The token is shown once, and one before it ends. Write it into the file that token_file of the house's channel names."
        )

        @Argument(help: ArgumentHelp("The ID of the gateway.", valueName: "gateway"))
        var gateway: String

        @Flag(help: "End the token of the house.")
        var revoke = false

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let file = try config.load().openDatabase()
            guard let id = GatewayID(gateway),
                try await Stores(in: file).houses.house(id) != nil
            else {
                throw ValidationError(
                    "gateway: saw '\(gateway)', expected a registered house. Register it: trackme houses add")
            }
            let (tokens, secret) = (HouseTokenStore(file: file), RandomSecret())
            try await tokens.set(revoke ? nil : secret.hash, of: id)
            print(revoke ? "the token has ended: \(id)" : secret.text)
        }
    }
}
