package import CloudCommands
package import ControlContract
package import GatewayModel
package import ServiceLifecycle

/// One feature of the gateway: alarms, readings, consent, the race and so on.
///
/// Its initialiser starts no thread. It declares here which settings, conditions, broker topics, control verbs and commands
/// are its own, and which personal data it keeps. Adding a capability to the gateway takes one target and one line in
/// `Daemon`.
package protocol Capability: Sendable {
    /// Names that belong to it alone.
    static var names: CapabilityNames { get }
    /// Reports the conditions of the start, before any service runs.
    func reportStart()
    /// Services to run, in the order of starting; they are stopped in the reverse order.
    var services: [any Service] { get }
    /// Work that is due about once a second, or less often, in the order of this list.
    var careTasks: [CareTask] { get }
    /// Answers to the control verbs that are its own, called on the control thread. An answer must not wait for a disk or
    /// a network.
    var controls: [ControlHandler] { get }
    /// Lines of `homegateway status`, for people; empty where there is nothing to say. From any thread.
    var statusLines: [String] { get }
    /// Adds its part of the gateway's state. From any thread; it must return at once.
    func describe(in snapshot: inout HouseSnapshot, at now: Moment)
    /// Handlers of the signed commands that are its own.
    ///
    /// - Parameter disk: does the blocking work of the handlers.
    func commandHandlers(_ disk: DiskQueue) -> [CommandKind: CommandHandler]
    /// Follows settings that were read again. Called from the last capability of the gateway to the first, so that the alarm
    /// rules, which order help, come after the parts that they order it of. Blocking I/O is allowed; one call at a time.
    func follow(_ reload: SettingsReload)
    /// Adds the data that it holds about a person to an export; `done` is called once, on any thread. A person who
    /// has moved out may ask, too.
    func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void)
    /// Erases the data that it holds about a person; `done` is called once, on any thread, with one step for each store.
    func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void)
}

/// Answers the requests of one verb. It is called on the control thread; the answer is given once, on any thread.
package struct ControlHandler: Sendable {
    private struct Answer<Request: ControlVerb>: Sendable {
        let give: @Sendable (Request, ControlAnswer<Request.Document>) -> Void
    }

    package let verb: any ControlVerb.Type
    /// `Answer` of the verb.
    private let answer: any Sendable

    package init<Request: ControlVerb>(
        _ verb: Request.Type, _ answer: @escaping @Sendable (Request, ControlAnswer<Request.Document>) -> Void
    ) {
        (self.verb, self.answer) = (verb, Answer(give: answer))
    }

    /// Handler of a verb without fields.
    package init<Request: ControlVerb>(
        _ verb: Request.Type, _ answer: @escaping @Sendable (ControlAnswer<Request.Document>) -> Void
    ) {
        self.init(verb) { answer($1) }
    }

    package func callAsFunction<Request: ControlVerb>(
        _ request: Request, _ reply: ControlAnswer<Request.Document>
    ) {
        guard let answer = answer as? Answer<Request> else {
            return reply(.refused("\(Request.verb): saw it where \(verb.verb) was expected"))
        }
        answer.give(request, reply)
    }
}

/// Work that is done again and again, on the thread "care". It may wait for a file or a device, which delays the tasks
/// after it, and must tolerate a pause of any length between two calls.
package struct CareTask: Sendable {
    package let interval: Duration
    package let body: @Sendable (Moment) -> Void

    /// - Parameter interval: time between two calls at least; the first call comes at once.
    package init(every interval: Duration = .zero, _ body: @escaping @Sendable (Moment) -> Void) {
        (self.interval, self.body) = (interval, body)
    }
}

/// Names that belong to one capability and to no other; a test finds each name exactly once.
package struct CapabilityNames: Sendable {
    /// Sections of the settings file, by the first word of their path: `house`, `person`.
    package let settings: Set<String>
    /// Conditions that it raises and clears.
    package let conditions: Set<HealthCode>
    /// Topics at the broker, by their first level below the gateway: `samples`.
    package let topics: Set<String>

    package init(
        settings: Set<String> = [], conditions: Set<HealthCode> = [], topics: Set<String> = []
    ) {
        (self.settings, self.conditions, self.topics) = (settings, conditions, topics)
    }
}

extension Capability {
    package static var names: CapabilityNames { CapabilityNames() }
    package func reportStart() {}
    package var services: [any Service] { [] }
    package var careTasks: [CareTask] { [] }
    package var controls: [ControlHandler] { [] }
    package var statusLines: [String] { [] }
    package func describe(in snapshot: inout HouseSnapshot, at now: Moment) {}
    package func commandHandlers(_ disk: DiskQueue) -> [CommandKind: CommandHandler] { [:] }
    package func follow(_ reload: SettingsReload) {}

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) { done(.success(data)) }

    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        done([])
    }
}
