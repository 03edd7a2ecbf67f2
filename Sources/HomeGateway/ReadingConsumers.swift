import GatewayModel
import Hub
import Readings

extension Dashboard: ReadingConsumer {
    /// A value that its sensor disowns is not shown.
    func consume(_ reading: Reading) {
        guard !reading.isDisowned else { return }
        heard(reading)
    }
}

extension HistoryInbox: ReadingConsumer {
    func consume(_ reading: Reading) { put(reading) }
}
