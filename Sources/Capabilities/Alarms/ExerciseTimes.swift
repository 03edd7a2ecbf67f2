import GatewayModel
import Synchronization

/// Times for which persons exercise, as somebody has said, for threads that must not wait for the SOS thread.
final class ExerciseTimes: Sendable {
    private let ends = Mutex<[PersonID: BootInstant]>([:])

    /// - Parameter end: nil where the person rests.
    func note(_ person: PersonID, until end: BootInstant?) {
        ends.withLock { $0[person] = end }
    }

    /// Time left for a person; nil where they rest.
    func left(of person: PersonID, at now: BootInstant) -> Duration? {
        ends.withLock { $0[person] }.map { now.duration(to: $0) }.flatMap { $0 > .zero ? $0 : nil }
    }
}
