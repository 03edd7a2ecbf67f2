/// A D-Bus value of any type, copied out of its message. A variant is shown as what it holds.
///
/// Source: D-Bus Specification, "Type System".
public indirect enum BusValue: Hashable, Sendable {
    case string(String)
    case objectPath(String)
    case signature(String)
    case bool(Bool)
    case byte(UInt8)
    /// An array of bytes (`ay`).
    case bytes([UInt8])
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case array([BusValue])
    case structure([BusValue])
    /// The last of equal keys is kept.
    case dictionary([BusValue: BusValue])
    /// A file descriptor (`h`), ours to keep.
    case descriptor(BusDescriptor)
    /// Not read: nested deeper than the reader goes, or of a type that has no number here.
    case other(signature: String)
}

extension BusValue {
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    public var objectPath: String? {
        if case .objectPath(let value) = self { value } else { nil }
    }

    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// An empty array of bytes is one too.
    public var bytes: [UInt8]? {
        if case .bytes(let value) = self { value } else { nil }
    }

    public var array: [BusValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    public var int16: Int16? {
        if case .int16(let value) = self { value } else { nil }
    }

    public var descriptor: BusDescriptor? {
        if case .descriptor(let value) = self { value } else { nil }
    }

    public var dictionary: [BusValue: BusValue]? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// `a{sv}`, the usual form of properties and options; entries under another kind of key are left out.
    public var properties: [String: BusValue]? {
        dictionary?.keyed(by: \.string)
    }

    /// `as`: the strings of an array; other elements are left out.
    public var strings: [String]? {
        array?.compactMap(\.string)
    }
}

extension [BusValue: BusValue] {
    /// The entries whose key `name` can name.
    public func keyed(by name: (BusValue) -> String?) -> [String: BusValue] {
        var named: [String: BusValue] = [:]
        for (key, value) in self {
            if let key = name(key) { named[key] = value }
        }
        return named
    }
}
