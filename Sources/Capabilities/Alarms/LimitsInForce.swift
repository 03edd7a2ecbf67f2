package import GatewayModel
package import SOSLocal
import Synchronization

/// Limits by which the rules judge now, for threads that must not wait for the SOS thread. Follows the events that change
/// the limits. From any thread; the lock is held for a look-up.
package final class LimitsInForce: Sendable {
    private let plans = Mutex<[PersonID: SOSPlan]>([:])

    package init() {}

    /// Sets the plans of all persons.
    package func replace(by plans: [SOSPlan]) {
        let byPerson = Dictionary(plans.map { ($0.person, $0) }) { first, _ in first }
        self.plans.withLock { $0 = byPerson }
    }

    /// Follows an event that the SOS thread has in its inbox. An event that changes no limit is ignored.
    func follow(_ event: SOSEvent) {
        switch event {
        case .plans(let plans, _): replace(by: plans)
        case .limits(let person, let rules):
            plans.withLock { $0[person] = $0[person]?.with(rules: rules) }
        default: break
        }
    }

    /// Rules at rest of each person.
    package var rules: [PersonID: [LimitRule]] { plans.withLock { $0.mapValues(\.rules) } }

    /// Returns whether a reading breaks a limit of its person, or is near one.
    package func isNearLimit(_ reading: Reading) -> Bool {
        plans.withLock { $0[reading.person]?.isNearLimit(reading.quantity) ?? false }
    }
}
