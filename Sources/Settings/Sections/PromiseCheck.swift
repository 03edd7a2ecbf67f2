internal import GatewayModel
internal import SOSLocal

/// T2: confirmation, abort window and reserve fit into the time a dispatch has.
struct PromiseCheck {
    let sos: SectionReader
    let heartRate: SectionReader

    /// Reports the slowest rule that breaks the promise, at the key that can keep it.
    func check(_ plan: SOSPlan) {
        let broken = plan.timelines.filter { !$0.keepsPromise }
        guard let slowest = broken.max(by: { $0.dispatch < $1.dispatch }) else { return }
        let (reader, key) = culprit
        reader.report(PromiseCheck.message(slowest, abortWindow: slowest.dispatch - slowest.confirmation), key)
    }

    private var culprit: (SectionReader, String) {
        if sos.isWritten(SOSSection.abortWindow) { return (sos, SOSSection.abortWindow.name) }
        if heartRate.isWritten(HeartRateSection.confirmWithin) {
            return (heartRate, HeartRateSection.confirmWithin.name)
        }
        // Both left to their defaults, at the person's line then: an unwritten section lies there.
        return (sos, SOSSection.abortWindow.name)
    }

    private static func message(_ timeline: SOSPlan.Timeline, abortWindow: Duration) -> String {
        let parts = [
            "confirmation \(timeline.confirmation.inSeconds)", "abort window \(abortWindow.inSeconds)",
            "reserve \(Promise.reserve.inSeconds)",
        ]
        let sum = timeline.firstWordWithReserve.inSeconds
        let left = (Promise.dispatchLimit - Promise.reserve).inSeconds
        return "\(parts.joined(separator: " + ")) = \(sum), limit \(Promise.dispatchLimit.inSeconds): "
            + "shorten abort_window_seconds or confirm_within_seconds, together they have \(left)"
    }
}
