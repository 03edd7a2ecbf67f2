import GatewayModel
import SOSLocal

/// An event that may happen next in an explored house.
enum Choice: Hashable, Sendable, CaseIterable {
    /// Time advances to the machine's own deadline, or a little if it has none.
    case wait
    /// Time advances half the way to the machine's deadline.
    case waitABit
    case racingHeart
    case calmHeart
    /// A dangerous pressure of a cuff with a clock that was never set: of now, or from a memory that is emptied.
    case undatedPressure
    /// The same two from a sensor with a poor signal.
    case doubtfulRacing
    case doubtfulCalm
    /// A heart that races all at once.
    case jump
    /// A dangerous pressure of a cuff that was moved, and a good one.
    case doubtfulPressure
    case goodPressure
    case sosButton
    /// A person asks on a page for help now, while an alarm is open.
    case callHelp
    case drill
    case sosButtonOfGino
    /// For 20 s the first press of a button is a test.
    case testButtons
    case drillOfGino
    case fix
    case abort
    /// The button that calls is pressed so that it means "I am all right".
    case cancelPress
    case resolve
    /// The channel with the oldest open order reports success.
    case acknowledge
    case fail
    case accept
    /// The first live channel becomes known to be dead.
    case channelDies
    /// The first channel that is known to be dead comes back.
    case channelLives
    case acknowledgeLastWord
    case failLastWord
    /// The gateway dies and is back at once, with its written state.
    case crash
    /// As `crash`, before the last decision was written down.
    case crashBeforeWriting
    /// The gateway dies and is back two seconds later.
    case crashForAWhile
    /// The machine loses power for an unknown time.
    case powerCut
    /// The wall clock is stepped by an hour.
    case clockStep
    /// The settings are read again without a change.
    case reload
    /// The gateway is stopped in order and started again.
    case orderlyRestart
}
