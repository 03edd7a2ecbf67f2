import GatewayModel
import SOSLocal

/// An open alarm and how far its tones and words are.
struct Sounding {
    var alarm: OpenAlarm
    var bursts = 0
    var lastBurst: BootInstant?
    /// Nil where it has sounded as often as it should.
    var nextBurst: BootInstant?
    /// To be said after the last burst.
    var speech: Utterance?

    var id: AlarmID { alarm.notice.alarm }
    var priority: AlarmPriority { alarm.notice.priority }

    /// Its next tone is its first, and the words are waited for.
    var isOpening: Bool { priority == .high && lastBurst == nil && bursts == 0 }

    func isDue(at now: BootInstant) -> Bool { nextBurst.map { $0 <= now } ?? false }

    func isLonger(silentThan other: Self) -> Bool {
        guard let mine = lastBurst else { return true }
        guard let theirs = other.lastBurst else { return false }
        return mine < theirs
    }

    /// Words move the next burst, but never so far that the tone is too seldom.
    func isOverdue(at now: BootInstant) -> Bool {
        guard let lastBurst else { return true }
        return now >= lastBurst.advanced(by: AlarmTones.burst(priority).interval.upperBound)
    }
}
