public import GatewayModel
public import ReadingBlocks

/// Time for which each form of a person's data is kept.
public struct Retention: Hashable, Sendable {
    public let raw: Duration
    public let minutes: Duration
    /// Also of gaps, notices, documents, and of the log of views.
    public let hours: Duration
    /// Time for which the ID of a reading is known after its making. A later one is refused, since it may be a
    /// repetition.
    public let late: Duration

    public init(raw: Duration, minutes: Duration, hours: Duration, late: Duration) {
        (self.raw, self.minutes, self.hours, self.late) = (raw, minutes, hours, late)
    }

    /// Age of the readings that are packed into blocks of an hour. Most have arrived by then: a later one has its block written again.
    private static let packingDelay = Duration.seconds(3_600)

    /// Times until which readings may be packed, and everything may be removed. Hours begin on the hour, so that no hour is half there.
    public func limits(at now: WallTime) -> KeptSince {
        func limit(_ life: Duration, _ unit: Int64) -> WallTime {
            let time = max(now.advanced(by: .zero - life).millisecondsSince1970, 0)
            return WallTime(millisecondsSince1970: time - time % unit)
        }
        return KeptSince(
            packed: limit(Self.packingDelay, RollUp.hour.rawValue), raw: limit(raw, 1),
            minutes: limit(minutes, RollUp.hour.rawValue),
            hours: limit(hours, RollUp.hour.rawValue), live: limit(late, 1), history: limit(hours, 1))
    }
}

/// Times of the oldest data of each form; nil without any.
public struct OldestData: Hashable, Sendable {
    /// By the IDs of the readings; of packed ones the begin of their hour.
    public let raw: WallTime?
    public let minute, hour: WallTime?

    public init(raw: WallTime?, minute: WallTime?, hour: WallTime?) {
        (self.raw, self.minute, self.hour) = (raw, minute, hour)
    }
}

/// Age of the oldest data of one form beside the time for which they are kept.
public struct RetentionAge: Hashable, Sendable, CustomStringConvertible {
    /// Delay of a removal that needs no look: hours end at once, and a server may be off for a night.
    public static let tolerance = Duration.seconds(86_400)

    /// Name in a sentence, and key of the settings.
    public let form, key: String
    /// Nil without any data of the form.
    public let age: Duration?
    public let limit: Duration

    /// Time by which the removal is late; nil within the tolerance.
    public var delay: Duration? {
        guard let age, age - limit > Self.tolerance else { return nil }
        return age - limit
    }

    /// `oldest readings: 7.0 days, kept for 7 (raw_days)`
    public var description: String {
        let age = age.map { Self.days($0) + " days" } ?? "none"
        return "oldest \(form): \(age), kept for \(limit.components.seconds / 86_400) (\(key))"
    }

    /// Sentence for an operator: the cause and the remedy; nil within the tolerance.
    public var finding: String? {
        delay.map { delay in
            "the removal of old \(form) is \(Self.days(delay)) days behind \(key) of [retention]. Let the server run "
                + "until it has caught up; if it does not, its log gives the reason, or the disk of the database is too slow"
        }
    }

    private static func days(_ time: Duration) -> String {
        let tenths = time.components.seconds / 8_640
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension Retention {
    /// Ages of readings, minutes and hours, in this order.
    public func ages(of oldest: OldestData, at now: WallTime) -> [RetentionAge] {
        func age(_ form: String, _ key: String, _ time: WallTime?, _ limit: Duration) -> RetentionAge {
            let age = time.map { time -> Duration in
                .milliseconds(max(now.millisecondsSince1970 - time.millisecondsSince1970, 0))
            }
            return RetentionAge(form: form, key: key, age: age, limit: limit)
        }
        return [
            age("readings", "raw_days", oldest.raw, raw), age("minutes", "minute_days", oldest.minute, minutes),
            age("hours", "hour_days", oldest.hour, hours),
        ]
    }
}

/// Packing and removal of old rows.
public protocol RetentionStore: Sendable {
    /// Raises the limits; they never fall again. Older readings are refused from this commit on.
    func raise(_ limits: KeptSince) async throws
    /// Packs or removes at most `most` rows below the limits, in one commit; the readings of a block count as rows, and go together.
    /// The next step goes on with the next series, so that each series gets its turn. Returns the number of rows: 0 when no series
    /// has any.
    func removeSome(most: Int) async throws -> Int
    /// Oldest data that are still here.
    func oldest() async throws -> OldestData
    /// Reads all blocks, some after the other.
    func damagedBlocks() async throws -> [DamagedBlock]
    /// Empties the log of the database, where erased rows may still be. False if a reader was in the way.
    func emptyLog() async throws -> Bool
}
