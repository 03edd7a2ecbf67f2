import Consent
import Contract
package import GatewayModel
package import HistoryService
package import Hub
package import OutboxService
import Readings
import RealTime
import Settings
import Synchronization

/// Positions of the persons as data of theirs: samples them behind the SOS rules, keeps them in the history, and sends them
/// to the third parties that the persons let see them.
package final class LocationService: Capability, PositionConsumer {
    package static let names = CapabilityNames(settings: ["location"])

    private let sampler = Mutex(LocationSampler())
    private let core: GatewayCore
    private let history: HistoryKeeper

    package init(_ core: GatewayCore, history: HistoryKeeper) {
        (self.core, self.history) = (core, history)
    }

    package var statusLines: [String] {
        guard let interval = core.settings().location.interval else { return [] }
        let shared = Set(
            core.gate.snapshot.openGrants.filter { $0.request.kinds.contains(.location) }.map(\.request.person))
        return core.settings().persons.filter { shared.contains($0.id) }.map {
            "\($0.id): the position is shared, every \(interval.wholeMilliseconds / 1_000) s; see: homegateway consent list"
        }
    }

    // MARK: Positions

    /// On the gpsd thread.
    package func consume(_ fix: Fix) {
        let settings = core.settings()
        guard let interval = settings.location.interval else { return }
        let carriers = settings.persons.filter(\.carriesBox).map(\.id)
        for person in sampler.withLock({ $0.takes(fix, of: carriers, every: interval) }) {
            record(
                PositionSample(
                    id: .random(at: fix.arrival.wall), person: person, source: .box,
                    coordinates: fix.coordinates, horizontalError: fix.horizontalError, arrival: fix.arrival))
        }
    }

    /// On the Bluetooth thread.
    package func consume(_ position: WearablePosition) {
        guard let interval = core.settings().location.interval,
            sampler.withLock({ $0.takes(position, every: interval) })
        else { return }
        record(
            PositionSample(
                id: .random(at: position.arrival.wall), person: position.person,
                source: .wearable(position.device), coordinates: position.coordinates,
                horizontalError: position.horizontalError, arrival: position.arrival))
    }

    private func record(_ sample: PositionSample) {
        history.keep(sample)
        for cleared in core.gate.clearShares(of: sample, at: Clock.wall()) {
            let id = MessageID.random(at: cleared.value.disclosedTime)
            if let message = cleared.reshaped({ Envelope.share($0, id: id, topics: core.topics) }) {
                core.queue.enqueue(message)
            }
        }
    }
}

extension Shared<PositionSample> {
    /// The id of a message tells its time of making.
    fileprivate var disclosedTime: WallTime {
        switch grant.request.precision {
        case .coarse: value.coarse.measured
        case .exact: value.measured
        }
    }
}
