extension Advert {
    /// The content of each of its AD structures 0x16, from the service UUID on, in order. Malformed data gives
    /// what comes before the fault.
    public var serviceData: [[UInt8]] {
        var found: [[UInt8]] = []
        var walk = ADWalk()
        while let structure = try? walk.next(in: data.span) {
            if structure.type == .serviceData16 { found.append(Array(data[structure.content])) }
        }
        return found
    }
}
