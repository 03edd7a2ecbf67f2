import WireFormats

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

/// Returns the structures of advertising data, and the fault that ended them.
func structures(of data: [UInt8]) -> (found: [ADStructure], fault: DecodeError?) {
    var walk = ADWalk()
    var found: [ADStructure] = []
    do throws(DecodeError) {
        while let structure = try walk.next(in: data.span) { found.append(structure) }
        return (found, nil)
    } catch {
        return (found, error)
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

func btHomeFrame(_ bytes: [UInt8]) -> BTHomeFrame { BTHomeFrame(bytes.span) }
