import GatewayModel
import WireFormats

@testable import Wearables

// Input from the radio of any device nearby: events of the controller, and contents of advertisements.
extension WireDecoder {
    static let advertising = [
        WireDecoder("ADStructures", takesAll: true, structures),
        WireDecoder("AdvertIntake", takesAll: true, adverts),
        WireDecoder("AdvertReports", reports),
        WireDecoder("BTHome", btHome),
        WireDecoder("Eddystone") { reader throws(DecodeError) in
            // Only the part after its service UUID is varied, here and for BTHome.
            try Eddystone(serviceData: ([0xAA, 0xFE] + reader.rest()).span)
        },
        WireDecoder("IBeacon", takesAll: true) { reader throws(DecodeError) in
            IBeacon(manufacturerData: reader.rest().span)
        },
        WireDecoder("MonitorPacket", takesAll: true, monitorPacket),
        WireDecoder("RemoteID") { reader throws(DecodeError) in
            let message = try RemoteID(serviceData: ([0xFA, 0xFF] + reader.rest()).span)
            precondition(abs(message?.location?.latitudeDegrees ?? 0) <= 90)
            precondition(abs(message?.location?.longitudeDegrees ?? 0) <= 180)
            return message
        },
    ]

    /// Checks that the walk lies inside the bytes, front to back.
    @Sendable private static func structures(_ reader: inout ByteReader) throws(DecodeError) -> [ADStructure] {
        let bytes = reader.rest()
        var walk = ADWalk()
        var structures: [ADStructure] = []
        while let structure = try? walk.next(in: bytes.span) {
            precondition(structure.content.lowerBound > structures.last?.content.upperBound ?? 0)
            precondition(structure.content.upperBound <= bytes.count)
            structures.append(structure)
        }
        return structures
    }

    /// Decodes one event of the controller. Each report's data lies in it, behind that of the last.
    @Sendable private static func reports(_ reader: inout ByteReader) throws(DecodeError) -> [AdvertReport] {
        let event = reader.rest()
        guard var walk = try AdvertReportWalk(event.span) else { return [] }
        var reports: [AdvertReport] = []
        while let report = try walk.next(in: event.span) {
            precondition(report.data.lowerBound >= reports.last?.data.upperBound ?? 0)
            precondition(report.data.upperBound <= event.count)
            derive(report.address.deviceAddress.description, report.address.isResolvablePrivate)
            reports.append(report)
        }
        precondition(reports.count == Int(event[1]))
        return reports
    }

    /// Decodes events one after the other, each behind its length; a length of 0 repeats the last event, so that few
    /// bytes are many pieces. The laws: each report ends as one advertisement at most, and none exceeds the maximum
    /// length of an advertisement (Core 5.4, Vol 4, Part E, 7.8.57).
    @Sendable private static func adverts(_ reader: inout ByteReader) throws(DecodeError) -> [Advert] {
        var intake = AdvertIntake(AdvertFilter(rules))
        var adverts: [Advert] = []
        var event: [UInt8] = []
        while reader.left > 0 {
            let length = Int(try reader.uint8("length"))
            if length > 0 { event = try reader.bytes(min(length, reader.left), "event") }
            intake.take(event.span, arrival: BootInstant(nanoseconds: 0), into: &adverts)
        }
        precondition(intake.counts.matched == adverts.count)
        precondition(intake.counts.matched + intake.counts.abandoned <= intake.counts.reports)
        precondition(adverts.allSatisfy { $0.data.count <= 1_650 })
        return adverts
    }

    private static let rules: [AdvertFilter.Rule] = [
        .all, .btHome, .resolvablePrivate, .address(DeviceAddress(octets: 0xC600_0000_0001)),
        .iBeacon(IBeacon.ProximityUUID(high: 1, low: 2), major: 1, minor: nil),
        .eddystone(Eddystone.Namespace(high: 1, low: 2), instance: nil),
    ]

    /// Decodes a frame in the clear, or the objects of an encrypted one.
    @Sendable private static func btHome(_ reader: inout ByteReader) throws(DecodeError) -> BTHomeFrame? {
        guard let advert = try BTHomeAdvert(serviceData: ([0xD2, 0xFC] + reader.rest()).span) else {
            return nil
        }
        let frame: BTHomeFrame? =
            switch advert.content {
            case .plain(let frame): frame
            case .encrypted(let envelope): opened(envelope)
            }
        guard let frame else { return nil }
        for case .measurement(let measurement) in frame.objects { precondition(measurement.value.isFinite) }
        precondition(frame.buttons.allSatisfy { $0.position > 0 && $0.press != .none })
        derive(frame.packetID, frame.stop)
        return frame
    }

    /// Opens the envelope once: a second time it is a repeat.
    private static func opened(_ envelope: BTHomeEnvelope) -> BTHomeFrame? {
        guard let key = AES128Key([UInt8](repeating: 0, count: 16)) else { return nil }
        let sender = DeviceAddress(octets: 0xC600_0000_0001)
        var counters = BTHomeCounterGuard()
        func open() -> Result<BTHomeFrame, BTHomeEnvelope.Refusal> {
            Result { () throws(BTHomeEnvelope.Refusal) in
                try envelope.open(
                    key: key, sender: sender, guard: &counters, at: BootInstant(nanoseconds: 0),
                    cipher: Trusting()
                ).frame
            }
        }
        guard case .success(let frame) = open() else {
            precondition(counters.last == nil, "a forged frame has moved the counter")
            return nil
        }
        precondition(open() == .failure(.repeated))
        return frame
    }

    /// A cipher without a secret, so that the fuzzer can produce valid objects.
    private struct Trusting: AdvertisingCipher {
        func openCCM(
            key: AES128Key, nonce: [UInt8], associatedData: [UInt8], ciphertext: [UInt8], tag: [UInt8]
        ) -> [UInt8]? {
            precondition(nonce.count == 13 && tag.count == 4)
            return tag[0] % 2 == 0 ? ciphertext : nil
        }

        func encryptBlock(_ block: [UInt8], key: AES128Key) -> [UInt8]? { nil }
    }

    /// Decodes a packet and checks that its event lies inside it.
    @Sendable private static func monitorPacket(_ reader: inout ByteReader) throws(DecodeError) -> MonitorPacket
    {
        let bytes = reader.rest()
        let packet = MonitorPacket(bytes.span)
        if case .leMeta(_, let event) = packet { precondition(event.upperBound <= bytes.count) }
        return packet
    }
}
