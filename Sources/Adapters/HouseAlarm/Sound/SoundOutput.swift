import Audio
import GatewayModel
import SOSLocal

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
