import GatewayModel
import WireFormats

// Where the wearer is: asked for as long as it is wanted, and let go of then.

extension WearableLink {
    /// The subscription that is wanted no more.
    mutating func releasePositions() -> [Step] {
        guard !positions.isWanted else { return [] }
        positions.lookAt = nil
        let unwanted = subscriptions.filter { $0.role == .position }
        subscriptions.removeAll { $0.role == .position }
        return unwanted.compactMap { subscription in
            switch subscription.state {
            case .on(let way): .release(subscription.path, way)
            // Its socket closes as it comes.
            case .asking(.signals): .release(subscription.path, .signals)
            case .asking(.socket), .retrying, .refused: nil
            }
        }
    }

    /// How good the positions are, where they are subscribed to and it is time to ask.
    mutating func qualityToRead(_ view: View, at now: BootInstant) -> Errands.Errand? {
        guard subscriptions.contains(where: { $0.role == .position && $0.isOn }),
            positions.lookAt.map({ now >= $0 }) ?? true,
            let quality = view.characteristics.first(where: {
                CharacteristicRole($0.uuid, service: $0.service) == .positionQuality
                    && $0.flags.contains("read")
            })
        else { return nil }
        positions.lookAt = now.advanced(by: PositionWish.lookEvery)
        return .read(path: quality.path, quality.uuid)
    }
}

extension WearableTracker {
    /// From now on these persons' wearables are asked where they are, and nobody else's.
    mutating func followPositions(of persons: Set<PersonID>, at now: BootInstant) -> [Action] {
        event(at: now) { tracker in
            tracker.followed = persons
            for index in tracker.links.indices {
                tracker.links[index].positions.isWanted = persons.contains(tracker.links[index].wearable.person)
            }
        }
    }
}
