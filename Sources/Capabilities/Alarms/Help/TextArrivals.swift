import Contract
import GatewayModel
import HelpLine
import RealTime
import Synchronization
import TextMessages
import Vault

/// When a text of each channel last arrived for sure, and when a test last sent one. It survives a restart.
///
/// The threads of the channels use the memory alone: no call for help waits for the disk. From any thread.
final class TextArrivals: Sendable {
    /// A text costs money, and a contract or a card that has ended is noticed within the month.
    static let interval = Duration.seconds(30 * 86_400)

    private struct State {
        /// By the name of the mark.
        var times: [String: WallTime] = [:]
        /// Names of times that are not on the disk.
        var unkept: Set<String> = []
    }

    private let marks: StateMarks
    private let state = Mutex(State())

    init(marks: StateMarks) { self.marks = marks }

    /// Memory of the tests of one channel. Blocking I/O.
    func testTexts(of channel: ChannelID) -> TextMessagesChannel.TestTexts {
        let (arrival, test) = (Self.arrival(channel), Self.test(channel))
        for name in [arrival, test] {
            let kept = marks[name].map { WallTime(millisecondsSince1970: $0.sequence) }
            state.withLock { $0.times[name] = $0.times[name] ?? kept }
        }
        return TextMessagesChannel.TestTexts(
            isDue: { [self] in Self.isDue(after: state.withLock { $0.times[test] }, at: Clock.wall()) },
            left: { [self] in record(test) }, arrived: { [self] in record(arrival) })
    }

    private func record(_ name: String) {
        let now = Clock.wall()
        state.withLock { state in
            state.times[name] = now
            state.unkept.insert(name)
        }
    }

    /// Writes down what is new. Blocking I/O; about once a second.
    func keep() {
        let new = state.withLock { state -> [(String, WallTime)] in
            defer { state.unkept = [] }
            return state.unkept.compactMap { name in state.times[name].map { (name, $0) } }
        }
        for (name, time) in new { marks.note(name, time.millisecondsSince1970) }
    }

    func last(of channel: ChannelID) -> WallTime? { state.withLock { $0.times[Self.arrival(channel)] } }

    /// Whether a test is to send a text. A clock that was set back must not put it off.
    static func isDue(after last: WallTime?, at now: WallTime) -> Bool {
        guard let last, now >= last else { return true }
        return now.millisecondsSince1970 - last.millisecondsSince1970 >= interval.wholeMilliseconds
    }

    /// Line of `homegateway status`.
    func line(of channel: ChannelID, hasTestRecipient: Bool, at now: WallTime) -> String {
        guard let last = last(of: channel) else {
            let advice = hasTestRecipient ? "" : ": write the number of its own SIM into test_to"
            return "texts of \(channel): none is known to have arrived\(advice)"
        }
        let days = max(now.millisecondsSince1970 - last.millisecondsSince1970, 0) / 86_400_000
        return "texts of \(channel): one arrived \(last.rfc3339), \(days) day\(days == 1 ? "" : "s") ago"
    }

    private static func arrival(_ channel: ChannelID) -> String { "text-arrived-\(channel.text)" }
    private static func test(_ channel: ChannelID) -> String { "text-test-\(channel.text)" }
}
