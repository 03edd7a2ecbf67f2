package import GatewayModel
package import ServiceLifecycle

/// One feature of the gateway: alarms, readings, consent, the race and so on.
///
/// Its initialiser stores its arguments and does nothing else. It declares here which control verbs, conditions and broker
/// topics are its own, and which personal data it keeps. Adding a capability to the gateway takes one target and one line
/// in `Daemon`.
package protocol Capability: Sendable {
    /// Services to run, in the order of starting; they are stopped in the reverse order.
    var services: [any Service] { get }
    /// Answers to the control verbs that are its own, called on the control thread. An answer must not wait for a disk or
    /// a network.
    var controls: [ControlRequest.Verb: ControlHandler] { get }
    /// Lines of `homegateway status`, for people; empty where there is nothing to say. From any thread.
    var statusLines: [String] { get }
    /// Conditions that it alone raises and clears.
    var healthCodes: Set<HealthCode> { get }
    /// Adds the data that it holds about a person to an export; `done` is called once, on any thread. A person who
    /// has moved out may ask, too.
    func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void)
    /// Erases the data that it holds about a person; `done` is called once, on any thread, with one step for each store.
    func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void)
}

/// Answers one request; `reply` is called once, on any thread.
package typealias ControlHandler =
    @Sendable (_ request: ControlRequest, _ reply: @escaping ControlAnswer) -> Void
/// Sends the answer to the caller; from any thread, once.
package typealias ControlAnswer = @Sendable (ControlReply) -> Void

extension Capability {
    package var services: [any Service] { [] }
    package var controls: [ControlRequest.Verb: ControlHandler] { [:] }
    package var statusLines: [String] { [] }
    package var healthCodes: Set<HealthCode> { [] }

    package func collectData(
        of person: PersonID, into data: PersonData,
        _ done: @escaping @Sendable (Result<PersonData, PersonDataFailure>) -> Void
    ) { done(.success(data)) }

    package func eraseData(of person: PersonID, _ done: @escaping @Sendable ([ErasureStep]) -> Void) {
        done([])
    }
}
