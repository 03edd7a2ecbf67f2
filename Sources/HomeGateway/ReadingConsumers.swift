import GatewayModel
import HistoryService
import HomeAssistant
import Hub
import Readings

extension DashboardSession: ReadingConsumer {
    /// A value that its sensor disowns is not shown.
    func consume(_ reading: Reading) {
        guard !reading.isDisowned else { return }
        show(reading)
    }
}

extension HistoryKeeper: ReadingConsumer {
    func consume(_ reading: Reading) { keep(reading) }
}
