@testable import WireFormats

/// Bytes written as in specifications: `"02 01 06"`.
func octets(_ text: String) -> [UInt8] {
    text.split(whereSeparator: \.isWhitespace).compactMap { UInt8($0, radix: 16) }
}

/// The same "random" bytes in each run.
struct SeededBytes {
    private var state: UInt64 = 0x5EED

    mutating func byte() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }

    mutating func bytes(upTo limit: UInt8) -> [UInt8] { (0..<byte() % limit).map { _ in byte() } }
}

/// All reports of an event, and the fault that ended them.
func walk(_ event: [UInt8]) -> (reports: [AdvertReport], fault: DecodeError?) {
    var reports: [AdvertReport] = []
    do throws(DecodeError) {
        guard var walk = try AdvertReportWalk(event.span) else { return ([], nil) }
        while let report = try walk.next(in: event.span) { reports.append(report) }
        return (reports, nil)
    } catch {
        return (reports, error)
    }
}

/// The content of the first structure of `type`.
func content(of type: ADType, in data: [UInt8]) -> [UInt8]? {
    var walk = ADWalk()
    while let structure = try? walk.next(in: data.span) {
        if structure.type == type { return Array(data[structure.content]) }
    }
    return nil
}

// A span cannot be handed through `#expect`: these take arrays.

func eddystone(_ content: [UInt8]) throws(DecodeError) -> Eddystone? {
    try Eddystone(serviceData: content.span)
}

func btHome(_ content: [UInt8]) throws(DecodeError) -> BTHomeAdvert? {
    try BTHomeAdvert(serviceData: content.span)
}

func iBeacon(_ content: [UInt8]) -> IBeacon? { IBeacon(manufacturerData: content.span) }

func advertisingData(_ bytes: [UInt8]) -> AdvertisingData { AdvertisingData(bytes.span) }

func btHomeFrame(_ bytes: [UInt8]) -> BTHomeFrame { BTHomeFrame(bytes.span) }
