import GatewayModel
import Hub
package import Logging
import Settings
import Wearables
import WireFormats

/// Scanners of the box, one for each of its radios. Each lets through all wanted adverts: while one works, no call for help is
/// missed.
package final class AdvertScanners: Sendable {
    private struct Listener {
        /// Number of the radio, by which its hits name it.
        let number: Int
        let adapter: String?

        var antenna: UInt8 { UInt8(clamping: number) }
    }

    package let services: [AdvertService]

    package init(
        adapters: [String?], broadcasters: BroadcasterService, signals: AdvertSignals,
        tags: any TagAdvertConsumer,
        fallback: AdvertFallback, hearing: RadioHearing, log: Logger
    ) {
        services = adapters.enumerated().map { number, adapter in
            let listener = Listener(number: number, adapter: adapter)
            return AdvertService(adapter: adapter) { adverts in
                // A call for help first, then the race.
                for advert in adverts where advert.match.contains(.btHome) {
                    let signal = advert.rssi.map(Int.init)
                    for data in advert.serviceData {
                        broadcasters.consume(
                            data, from: advert.address.deviceAddress, signal: signal, at: advert.arrival)
                    }
                    signals.record(signal, from: advert.address.deviceAddress)
                }
                let tagAdverts = adverts.filter { $0.match != .btHome }
                if !tagAdverts.isEmpty { tags.consume(tagAdverts, antenna: listener.antenna) }
            } onEvent: { event in
                hearing.note(event, of: listener.number)
                guard let canHear = Self.log(event, to: log) else { return }
                Self.report(canHear, listener, tags, fallback)
            } onFailure: { reason in
                hearing.fail(listener.number)
                Self.report(false, listener, tags, fallback)
                log.error("adverts cannot be listened to", metadata: ["reason": "\(reason)"])
            }
        }
    }

    /// - Returns: whether the scanner can hear from now on; nil where the event does not change that.
    private static func log(_ event: HCIScanEvent, to log: Logger) -> Bool? {
        switch event {
        case .scanning(let adapter):
            log.info("listening for adverts", metadata: ["adapter": "\(adapter)"])
            return true
        case .listening(let adapter, _):
            log.info("listening for adverts in another's scan", metadata: ["adapter": "\(adapter)"])
            return true
        case .silent(let adapter, _):
            log.notice("no advert of anybody for half a minute", metadata: ["adapter": "\(adapter)"])
        case .heardAgain(let adapter):
            log.notice("adverts are heard again", metadata: ["adapter": "\(adapter)"])
        case .unavailable(let obstacle):
            log.warning(
                "adverts cannot be heard directly",
                metadata: ["reason": "\(obstacle.reason)", "remedy": "\(obstacle.remedy)"])
            return false
        case .lost(let packets):
            log.warning("adverts came faster than they were read", metadata: ["lost": "\(packets)"])
        case .malformed(let events):
            log.debug("adverts that cannot be read", metadata: ["count": "\(events)"])
        }
        return nil
    }

    /// Without a scanner, bluetoothd brings the adverts of wearables; a tag that passes needs each of its adverts.
    private static func report(
        _ canHear: Bool, _ listener: Listener, _ tags: any TagAdvertConsumer, _ fallback: AdvertFallback
    ) {
        fallback.scanner(listener.number, isDeaf: !canHear)
        tags.setScanner(listener.antenna, canHear: canHear)
    }
}
