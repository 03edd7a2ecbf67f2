package import GatewayModel
import Hub
import Synchronization
package import Wearables

/// Failures of Bluetooth calls that are in the log already: a strap in a drawer fails a thousand times a day, and the log
/// records changes.
package final class CallFailures: Sendable {
    private struct Call: Hashable {
        /// Nil: the adapter.
        let device: DeviceID?
        let name: String
    }

    private let told = Mutex<[Call: CallFailure]>([:])

    /// Records a failure.
    /// - Returns: whether the last failure of this call was of another kind, or there was none.
    package func record(_ device: DeviceID?, _ call: String, _ kind: CallFailure) -> Bool {
        told.withLock { $0.updateValue(kind, forKey: Call(device: device, name: call)) } != kind
    }

    /// Forgets failures of a call that works again: the next failure is news.
    /// - Parameter call: nil for all of the device.
    package func forget(_ device: DeviceID?, _ call: String? = nil) {
        told.withLock { told in
            told = told.filter { $0.key.device != device || (call != nil && $0.key.name != call) }
        }
    }
}
