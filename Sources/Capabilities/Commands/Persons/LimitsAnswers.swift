import ArgumentParser
import ControlContract
import Hub

// Answers of the house to commands that make an alarm less likely.

/// `homegateway limits list`
struct LimitsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List limits that were set by command, and commands that wait or were answered.")

    @OptionGroup var gateway: GatewayOption

    @OptionGroup var format: JSONOption

    func run() throws {
        try gateway.ask(Verb.LimitQuestions(), as: format)
    }
}

/// `homegateway limits accept KIND`
struct LimitsAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Accept the limits that wait. They hold from now on.")

    @Argument(help: "The kind of reading, as 'limits list' shows it.")
    var kind: String

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(Verb.AcceptLimits(try options.limitDecision(on: kind)))
    }
}

/// `homegateway limits refuse KIND`
struct LimitsRefuse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refuse", abstract: "Refuse the limits that wait. Nothing changes.")

    @Argument(help: "The kind of reading, as 'limits list' shows it.")
    var kind: String

    @OptionGroup var options: PersonOptions

    func run() throws {
        try options.gateway.ask(Verb.RefuseLimits(try options.limitDecision(on: kind)))
    }
}

extension PersonOptions {
    fileprivate func limitDecision(on kind: String) throws(ControlError) -> Verb.LimitDecision {
        try Verb.LimitDecision(person: person, kind: kind, by: who.name)
    }
}
