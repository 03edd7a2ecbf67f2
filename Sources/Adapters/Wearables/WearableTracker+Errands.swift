import GatewayModel
import Systemd
import WireFormats

// What is done once on a connection: reads and writes that nothing waits for.

extension WearableTracker {
    mutating func run(_ errand: Errands.Errand, _ index: Int, at now: BootInstant) {
        let address = links[index].wearable.address
        switch errand {
        case .read(let path, _): call(.readValue(path), link: address, for: .errand(errand))
        case .setClock(let path): setClock(path, link: address, for: errand)
        case .setLinkLoss(let path, let level):
            call(
                .writeValue(path, level.bytes, awaitsResponse: true), link: address, for: .errand(errand))
        case .records(let control):
            perform(links[index].startTransfer(at: control, now: now), for: index, at: now)
        }
    }

    mutating func errandReplied(
        _ errand: Errands.Errand, _ reply: BusConnection.Reply, _ index: Int, at now: BootInstant
    ) {
        let wearable = links[index].wearable
        if case .records = errand {
            // The write has only begun the transfer, which finds its end by itself.
            guard case .failure(let error) = reply else { return }
            return perform(links[index].transferWriteFailed(error), for: index, at: now)
        }
        links[index].errands.finished()
        switch (errand, reply) {
        case (.read(_, let uuid), .success(let values)):
            if let bytes = values.first?.bytes { act(.notified(wearable, uuid, bytes)) }
        case (.setClock, .success): act(.clockTaken(wearable.id))
        case (_, .failure(let error)):
            // What it said before holds no more of the positions that come now.
            if case .read(_, .positionQuality) = errand { act(.notified(wearable, .positionQuality, [])) }
            // Until the next connection: a device that minds one of these does its work all the same.
            emit(
                .callFailed(
                    wearable.id, call: errand.name, error: error.description, kind: CallFailure(error),
                    retryIn: Backoff.connect.limit))
        default: break
        }
    }
}

extension Errands.Errand {
    var name: String {
        switch self {
        case .read(_, let uuid): "ReadValue \(uuid)"
        case .setClock: "setting its clock"
        case .records: "asking for records"
        case .setLinkLoss: "setting Link Loss"
        }
    }
}
