/// Measured values as whole numbers of a decimal unit, each as its difference from the one before: a pulse takes
/// a byte. Exact: where a value is no such number, all are written as they are in memory.
enum PackedValues {
    private static let units: [Double] = [1, 10, 100, 1_000, 10_000]
    /// Up to here a `Double` counts without gaps.
    private static let largest = 9_007_199_254_740_992.0
    private static let asTheyAre: UInt8 = 0xFF

    static func put(_ values: [Double], into bytes: inout PackedBytes) {
        guard let exponent = units.firstIndex(where: { unit in values.allSatisfy { isWhole($0, unit) } })
        else {
            bytes.put(asTheyAre)
            for value in values { bytes.put(fixed: value.bitPattern) }
            return
        }
        bytes.put(UInt8(exponent))
        var last: Int64 = 0
        for value in values {
            let number = Int64((value * units[exponent]).rounded())
            bytes.put(signed: number - last)
            last = number
        }
    }

    static func take(_ count: Int, from reader: inout PackedReader) -> [Double]? {
        guard let form = reader.byte() else { return nil }
        var values: [Double] = []
        values.reserveCapacity(count)
        guard form != asTheyAre else {
            for _ in 0..<count {
                guard let bits = reader.fixed(UInt64.self) else { return nil }
                values.append(Double(bitPattern: bits))
            }
            return values
        }
        guard Int(form) < units.count else { return nil }
        var last: Int64 = 0
        for _ in 0..<count {
            guard let difference = reader.signed() else { return nil }
            last &+= difference
            values.append(Double(last) / units[Int(form)])
        }
        return values
    }

    private static func isWhole(_ value: Double, _ unit: Double) -> Bool {
        let number = (value * unit).rounded()
        // A negative zero would come back as another.
        return abs(number) < largest && number / unit == value && (number != 0 || value.sign == .plus)
    }
}
