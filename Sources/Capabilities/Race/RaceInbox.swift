import GatewayModel
import Hub
import RealTime
import RunBeacon
import Synchronization
import WireFormats

/// Mailbox of the race thread: adverts, positions and commands. From any thread; each call returns at once.
///
/// The Bluetooth threads put adverts here and go on: SOS signals were taken from them before.
final class RaceInbox: Sendable {
    enum Word: Sendable {
        /// The runs have changed, by file or by command.
        case runs(RunCatalog)
        /// The clock of the race has changed.
        case clock(RaceTime.Change)
        /// Time as the log of passings has it.
        case logged(LoggedTime)
        /// Passings of an earlier run of the program, in runs that are underway, and of which runs these are all.
        case recalled([RecordedPassing], of: Set<RunID> = [])
        /// Whether the scanner of one of the box's radios hears adverts.
        case scanner(UInt8, canHear: Bool)
        case selfTest(TagIdentity, @Sendable (SelfTest.Verdict) -> Void)
    }

    struct Located: Sendable {
        /// Nil where the receiver does not know where it is.
        let report: PositionReport?
        let bearer: PositionBearer
    }

    struct Heard: Sendable {
        let advert: Advert
        /// Of the box's radios, the one that heard it.
        let antenna: UInt8
    }

    struct Taken: Sendable {
        var adverts: [Heard] = []
        /// Adverts that had no room to wait, since the last time.
        var dropped = 0
        var positions: [Located] = []
        var words: [Word] = []
    }

    /// Adverts that wait while the thread is held up: 12 s of a pack of 150 tags of 100 ms, some 5 MB. Beyond it the
    /// oldest give way, many at once, and are counted.
    static let bound = 20_000

    /// One a second of three receivers, for five minutes. Beyond it the oldest give way: where somebody was then is
    /// nothing to anybody by now.
    static let positionBound = 1_000

    let wakeup: Wakeup
    private let state = Mutex(Taken())

    init() throws(SystemCallError) {
        wakeup = try Wakeup()
    }

    func put(_ adverts: [Advert], antenna: UInt8 = 0) {
        state.withLock { state in
            let over = state.adverts.count + adverts.count - Self.bound
            if over > 0 {
                let given = min(state.adverts.count, max(over, Self.bound / 10))
                state.adverts.removeFirst(given)
                state.dropped += given
            }
            state.adverts += adverts.lazy.map { Heard(advert: $0, antenna: antenna) }
        }
        wakeup.signal()
    }

    func put(_ report: PositionReport?, of bearer: PositionBearer) {
        state.withLock { state in
            if state.positions.count >= Self.positionBound {
                state.positions.removeFirst(Self.positionBound / 10)
            }
            state.positions.append(Located(report: report, bearer: bearer))
        }
        wakeup.signal()
    }

    func put(_ word: Word) {
        state.withLock { $0.words.append(word) }
        wakeup.signal()
    }

    /// All that has come since the last call, in its order.
    func take() -> Taken {
        wakeup.drain()
        return state.withLock { state in
            defer { state = Taken() }
            return state
        }
    }
}
