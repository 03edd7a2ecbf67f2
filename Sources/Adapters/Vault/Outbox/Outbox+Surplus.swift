public import Consent
import Contract
import DequeModule
public import GatewayModel

extension Outbox {
    /// While the disk takes nothing, memory is all there is: the oldest reading makes room. Never an alarm.
    mutating func dropSurplus() {
        guard disk.unwritten.count > unwrittenCapacity else { return }
        let settled = disk.settled
        disk.unwritten.removeAll { settled.contains($0.place) }
        guard disk.unwritten.count > unwrittenCapacity,
            let index = disk.unwritten.firstIndex(where: { $0.envelope.retention == .sample })
        else { return }
        let entry = disk.unwritten.remove(at: index)
        // On its way it may still arrive; then the gap says one more than is missing.
        live.removeAll { $0.place == entry.place }
        for topic in holds.keys { holds[topic]?.waiting.removeAll { $0.place == entry.place } }
        guard let series = entry.envelope.disclosure.series else { return }
        let time = entry.envelope.arrived
        disk.gaps[series] =
            disk.gaps[series]?.adding(time)
            ?? SampleGap(from: time, to: time, dropped: 1, kept: 0, reason: .storage)
    }

    /// What was given up, once the disk takes readings again; asked for after a write.
    public mutating func takeGaps() -> [(gap: SampleGap, series: SampleSeries)] {
        guard disk.unwritten.count < unwrittenCapacity / 2 else { return [] }
        defer { disk.gaps = [:] }
        return disk.gaps.map { ($0.value, $0.key) }
    }
}

extension SampleGap {
    fileprivate func adding(_ time: WallTime) -> SampleGap {
        SampleGap(
            from: min(from, time), to: max(to, time), dropped: dropped + 1, kept: kept, reason: reason)
    }
}
