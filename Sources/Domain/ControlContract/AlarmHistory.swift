import GatewayModel
import SOSLocal

/// Alarms of a period, the newest first: the answer to `alarms`, and the document of `homegateway alarms list --json`.
package struct AlarmHistory: FieldDocument, Hashable {
    package static var field: ControlFields.Name { "alarms" }

    package struct Entry: Codable, Hashable, Sendable {
        /// End of the alarm.
        package struct Ending: Codable, Hashable, Sendable {
            /// `aborted`, `accepted`, `resolved` or `lapsed`.
            package let how: String
            package let at: Int64
            /// Name of the person who ended it; nil for a drill that lapsed.
            package let by: String?
            /// A `PersonAct.Means`; nil in records of earlier versions.
            package let means: String?
            /// Channel of an acceptance.
            package let channel: String?
        }

        package let id, person, rule, priority: String
        package let isDrill: Bool
        /// Worn device that raised it; nil for a drill.
        package let device: String?
        package let crossed: Int64
        /// Instants of the first step of each kind; nil where it did not happen.
        package let confirmed, sounded, called, handedOver: Int64?
        /// Restarts of the gateway while the alarm was open.
        package let restarts: Int
        /// Nil while it is open.
        package let ending: Ending?

        /// Nil for a record without a crossing.
        package init?(_ record: AlarmRecord) {
            guard let crossed = WallTime(rfc3339: record.crossing)?.millisecondsSince1970 else { return nil }
            func first(_ what: AlarmRecord.Step.What) -> Int64? {
                record.steps.first { $0.what == what }.map { crossed.addingClamped($0.afterMs) }
            }
            (id, person, rule, priority) = (record.id, record.person, record.cause, record.priority)
            (isDrill, device, restarts) = (record.isDrill, record.device, record.restarts)
            self.crossed = crossed
            (confirmed, sounded) = (first(.confirmed), first(.sounded))
            (called, handedOver) = (first(.called), first(.handedOver))
            ending = record.ending.map { step in
                Ending(
                    how: step.what.rawValue, at: crossed.addingClamped(step.afterMs), by: step.text,
                    means: step.means, channel: step.channel)
            }
        }
    }

    /// Maximum number of alarms in an answer: some 40 kB, far below the socket's buffer for a slow caller.
    package static let size = 100

    package let alarms: [Entry]
    /// Alarm after which the next page begins, as `alarm` of its request; nil for the last page.
    package let next: String?

    /// All alarms of these records.
    ///
    /// - Parameter records: the newest first.
    package init(_ records: [AlarmRecord]) {
        (alarms, next) = (records.compactMap { Entry($0) }, nil)
    }

    /// A page of the alarms that a request asks for.
    ///
    /// - Parameter records: alarms of the person, the newest first.
    /// - Throws: for a page that begins after an alarm that is not kept.
    package init(_ records: [AlarmRecord], for request: Verb.Alarms) throws(ControlError) {
        var rest = records[...]
        if let last = request.after?.description {
            guard let place = records.firstIndex(where: { $0.id == last }) else {
                throw ControlError(
                    "alarm: '\(last)' is not kept, expected the last alarm of the page before; ask for the first page "
                        + "without 'alarm'", .unknownAlarm)
            }
            rest = records[(place + 1)...]
        }
        let period =
            request.from
            .millisecondsSince1970..<max(
                request.to.millisecondsSince1970, request.from.millisecondsSince1970)
        // One more than a page holds shows that another page follows.
        let found = rest.lazy.filter { $0.person == request.person.text }.compactMap { Entry($0) }
            .filter { period.contains($0.crossed) }.prefix(Self.size + 1)
        let entries = Array(found)
        alarms = Array(entries.prefix(Self.size))
        next = entries.count > Self.size ? alarms.last?.id : nil
    }
}

extension Int64 {
    /// The sum, at the limits of the type where it has none: a damaged record must not trap.
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? (other < 0 ? .min : .max) : sum
    }
}
