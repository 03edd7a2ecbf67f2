import ArgumentParser
import Contract
import Foundation
import GatewayModel
import Parties
import RealTime
import SQLDatabase
import Schema
import ServerSettings
import Store

/// `trackme parties`
struct PartiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parties", abstract: "Companies that ask persons for their data.",
        subcommands: [List.self, Show.self, Approve.self, Suspend.self, Close.self, Remove.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the companies with their states.")

        @OptionGroup var config: ConfigOption

        func run() async throws {
            let file = try config.load().openDatabase()
            for party in try await PartyStore(file: file).parties() {
                print("\(party.id)  \(party.state.rawValue)  \(party.vat)  \(party.name)")
            }
            for line in try await SuspendedWebhooks.lines(in: file) { print(line) }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show one company with its keys.")

        @OptionGroup var party: PartyOption
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let id = try party.id()
            let file = try config.load().openDatabase()
            guard let party = try await PartyStore(file: file).party(id) else {
                throw PartyOption.unknown(id)
            }
            print("id: \(party.id)")
            print("name: \(party.name)")
            print("VAT number: \(party.vat)")
            print("mail: \(party.contact)")
            print("state: \(party.state.rawValue) since \(party.changed.rfc3339)")
            print("applied: \(party.applied.rfc3339)")
            for key in party.keys.keys {
                print("key: \(key.id), SHA-256 \(key.thumbprint), since \(key.added.rfc3339)")
            }
            for webhook in try await SubscriptionStore(file: file).subscriptions(of: id) {
                print("webhook \(webhook.id): \(webhook.stateInWords)")
            }
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "approve", abstract: "Let a company ask persons for data, or let it ask again.",
            discussion:
                "Compare the VAT number, the name and the mail address with the register of companies, and the SHA-256 of "
                + "the key by telephone.")

        @OptionGroup var party: PartyOption
        @OptionGroup var config: ConfigOption

        func run() async throws { try await party.carryOut(.approve, config) }
    }

    struct Suspend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "suspend",
            abstract: "Stop a company at once: its tokens end, and it gets no data until it is approved again.")

        @OptionGroup var party: PartyOption
        @OptionGroup var config: ConfigOption

        func run() async throws { try await party.carryOut(.suspend, config) }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "close",
            abstract: "Stop a company for ever. Its short name is taken until it is removed.",
            discussion:
                "The running server ends its requests and has the houses withdraw their grants; a house that is away is told "
                + "when it is back.")

        @OptionGroup var party: PartyOption
        @OptionGroup var config: ConfigOption

        func run() async throws { try await party.carryOut(.close, config) }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a closed company with all that is kept of it, for ever.",
            discussion:
                "Close it first, and let each house answer the withdrawal. Its keys, tokens, webhooks, messages, requests and groups "
                + "are deleted; persons do not see its requests here any more, only at home. Its lines in the audit log stay. "
                + "Its short name and VAT number can be registered again.")

        @OptionGroup var party: PartyOption
        @OptionGroup var config: ConfigOption

        func run() async throws {
            let id = try party.id()
            let file = try config.load().openDatabase()
            do {
                guard try await Schema.removeParty(id, by: Operator.name, at: Clock.wall(), in: file) else {
                    throw PartyOption.unknown(id)
                }
            } catch let reason as PartyNotRemovable {
                throw ValidationError("party: \(Self.sentence(reason, id))")
            }
            _ = try await Stores(in: file).retention.emptyLog()
            print("removed: \(id)")
        }

        private static func sentence(_ reason: PartyNotRemovable, _ id: PartyID) -> String {
            switch reason {
            case .notClosed(let state):
                "\(id) is \(state.rawValue). Close it first: trackme parties close \(id)"
            case .requestsOpen:
                "\(id) has requests that are not ended yet. The running server ends them within seconds: start it, and try again"
            case .unanswered(let houses):
                "no answer yet to commands about requests of \(id) from \(houses.map(\.text).joined(separator: ", ")). "
                    + "Try again when trackme check counts fewer commands without a receipt. A house that never comes back: "
                    + "trackme houses remove"
            }
        }
    }
}

struct PartyOption: ParsableArguments {
    @Argument(help: ArgumentHelp("The short name of the company.", valueName: "party"))
    var party: String

    func id() throws -> PartyID {
        guard let id = PartyID(party) else {
            throw ValidationError("party: saw '\(party)', expected \(PartyID.form)")
        }
        return id
    }

    static func unknown(_ id: PartyID) -> ValidationError {
        ValidationError("party: saw '\(id)', expected one of trackme parties list")
    }

    func carryOut(_ act: PartyAct, _ config: ConfigOption) async throws {
        let id = try id()
        let store = PartyStore(file: try config.load().openDatabase())
        do {
            guard let party = try await store.change(id, by: act, as: Operator.name, at: Clock.wall()) else {
                throw Self.unknown(id)
            }
            print("\(party.id): \(party.state.rawValue)")
        } catch PartyFault.actImpossible(let state) {
            throw ValidationError("\(act.rawValue): \(id) is \(state.rawValue), and cannot be changed so")
        }
    }
}
