import GatewayModel
import SOSLocal

/// Where sound goes. Used on one thread, which may be held up by it and no other.
protocol SoundOutput: AnyObject {
    /// Makes ready to play, if it is not.
    /// - Returns: samples per second that it takes.
    func open() throws(HouseFailure) -> Int

    /// A new burst or speech begins.
    /// - Parameter label: for a file name; names no person.
    func begin(_ label: String)

    /// Takes samples at the rate that `open` told; has accepted them when it returns. A failure leaves it
    /// closed.
    func write(_ samples: ArraySlice<Int16>) throws(HouseFailure)

    /// The burst or speech is over. `isWhole`: false where it was broken off, and the samples that are not out
    /// yet are not to come any more.
    func end(isWhole: Bool) throws(HouseFailure)

    func close()
}

/// Piece to play next.
enum SoundPiece: Hashable, Sendable {
    /// `alarm` is nil for the tone before a technical announcement.
    case burst(AlarmPriority, of: AlarmID?, amplitude: Double)
    /// The first tone of an alarm of the highest priority, shorter than those that follow.
    case opening(of: AlarmID, amplitude: Double)
    case speech(Utterance, of: AlarmID, amplitude: Double)
    case announcement(Utterance, amplitude: Double)
    /// Nothing, until then or until something is heard.
    case rest(until: BootInstant?)
}
