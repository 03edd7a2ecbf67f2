import GatewayModel
import Hub
import Synchronization
import Wearables

/// Which failures of Bluetooth calls have been told: a strap in a drawer fails a thousand times a day, and the
/// log is for what has changed.
final class CallFailures: Sendable {
    private struct Call: Hashable {
        /// Nil: the adapter.
        let device: DeviceID?
        let name: String
    }

    private let told = Mutex<[Call: CallFailure]>([:])

    /// - Returns: whether the last failure of this call was of another kind, or there was none.
    func isNews(_ device: DeviceID?, _ call: String, _ kind: CallFailure) -> Bool {
        told.withLock { $0.updateValue(kind, forKey: Call(device: device, name: call)) } != kind
    }

    /// It works again: the next failure is news.
    /// - Parameter call: nil for all of the device.
    func overcome(_ device: DeviceID?, _ call: String? = nil) {
        told.withLock { told in
            told = told.filter { $0.key.device != device || (call != nil && $0.key.name != call) }
        }
    }
}
