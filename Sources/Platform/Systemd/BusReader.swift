import CSystemd
import Glibc

/// Copies the arguments of a received message into values, for any types.
///
/// The read position is sd-bus's own, inside the message: one reader a message, on the bus's thread.
/// The message stays sd-bus's; nothing is kept after `arguments()`.
struct BusReader {
    let message: OpaquePointer

    /// Containers inside containers that are read; deeper ones become `.other`. The messages that BlueZ and
    /// ModemManager send nest 5 deep (`a{oa{sa{sv}}}` with `as` inside); D-Bus itself allows 64, and a
    /// recursion that a peer controls has to end well before our stack does.
    static let depthLimit = 16

    /// All arguments. Errors: `.failed` where the message contradicts its own signature.
    func arguments() throws(BusError) -> [BusValue] {
        try check(sd_bus_message_rewind(message, 1), "rewinding a D-Bus message")
        return try values(depth: 0)
    }

    /// The values up to the end of the container that is entered.
    private func values(depth: Int) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while let (type, contents) = try peek() {
            values.append(try value(of: type, contents, depth: depth))
        }
        return values
    }

    /// Type and contents signature of the next element, nil at the end of the container.
    private func peek() throws(BusError) -> (type: CChar, contents: String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let result = sd_bus_message_peek_type(message, &type, &contents)
        guard try check(result, "looking into a D-Bus message") > 0 else { return nil }
        return (type, contents.map { String(cString: $0) } ?? "")
    }

    private func value(of type: CChar, _ contents: String, depth: Int) throws(BusError) -> BusValue {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "a") where contents == "y": return .bytes(try bytes())
        case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "v"):
            guard depth < Self.depthLimit else { return try skipped(type, contents) }
            return try container(type, contents, depth: depth)
        default: return try basic(type)
        }
    }

    private func container(_ type: CChar, _ contents: String, depth: Int) throws(BusError) -> BusValue {
        try check(sd_bus_message_enter_container(message, type, contents), "entering a D-Bus container")
        let value: BusValue
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "v"): value = try values(depth: depth + 1).first ?? .other(signature: contents)
        case UInt8(ascii: "r"): value = .structure(try values(depth: depth + 1))
        case _ where contents.hasPrefix("{"): value = try dictionary(contents, depth: depth + 1)
        default: value = .array(try values(depth: depth + 1))
        }
        try check(sd_bus_message_exit_container(message), "leaving a D-Bus container")
        return value
    }

    /// - Parameter contents: the signature of an entry with its braces, `{sv}`.
    private func dictionary(_ contents: String, depth: Int) throws(BusError) -> BusValue {
        let entry = String(contents.dropFirst().dropLast())
        let entryType = CChar(UInt8(ascii: "e"))
        var values: [BusValue: BusValue] = [:]
        while try check(sd_bus_message_enter_container(message, entryType, entry), "entering a D-Bus entry") > 0
        {
            let pair = try self.values(depth: depth)
            if pair.count == 2 { values[pair[0]] = pair[1] }
            try check(sd_bus_message_exit_container(message), "leaving a D-Bus entry")
        }
        return .dictionary(values)
    }

    private func bytes() throws(BusError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var size = 0
        let result = sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &size)
        try check(result, "reading D-Bus bytes")
        return [UInt8](UnsafeRawBufferPointer(start: start, count: size))
    }

    private func skipped(_ type: CChar, _ contents: String) throws(BusError) -> BusValue {
        let signature =
            switch UInt8(bitPattern: type) {
            case UInt8(ascii: "a"): "a" + contents
            case UInt8(ascii: "r"): "(" + contents + ")"
            default: String(UnicodeScalar(UInt8(bitPattern: type)))
            }
        try check(sd_bus_message_skip(message, signature), "skipping a D-Bus value")
        return .other(signature: signature)
    }
}

extension BusReader {
    /// One value of a basic type. Types that are not known here are skipped.
    func basic(_ type: CChar) throws(BusError) -> BusValue {
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "s"): .string(try text(type))
        case UInt8(ascii: "o"): .objectPath(try text(type))
        case UInt8(ascii: "g"): .signature(try text(type))
        // sd-bus writes a boolean as an int (sd_bus_message_read_basic(3)).
        case UInt8(ascii: "b"): .bool(try number(type, Int32(0)) != 0)
        case UInt8(ascii: "y"): .byte(try number(type, 0))
        case UInt8(ascii: "n"): .int16(try number(type, 0))
        case UInt8(ascii: "q"): .uint16(try number(type, 0))
        case UInt8(ascii: "i"): .int32(try number(type, 0))
        case UInt8(ascii: "u"): .uint32(try number(type, 0))
        case UInt8(ascii: "x"): .int64(try number(type, 0))
        case UInt8(ascii: "t"): .uint64(try number(type, 0))
        case UInt8(ascii: "d"): .double(try number(type, 0))
        case UInt8(ascii: "h"): try descriptor(type)
        default: try unread(type)
        }
    }

    /// sd-bus has checked that it is UTF-8 without NUL; the copy is ours.
    private func text(_ type: CChar) throws(BusError) -> String {
        var start: UnsafePointer<CChar>?
        try check(sd_bus_message_read_basic(message, type, &start), "reading a D-Bus string")
        return start.map { String(cString: $0) } ?? ""
    }

    /// `zero` gives the size that `type` has in sd-bus.
    private func number<Number: Numeric & BitwiseCopyable>(_ type: CChar, _ zero: Number) throws(BusError)
        -> Number
    {
        var value = zero
        try check(sd_bus_message_read_basic(message, type, &value), "reading a D-Bus number")
        return value
    }

    /// The number that sd-bus gives is the message's: it is closed with it.
    private func descriptor(_ type: CChar) throws(BusError) -> BusValue {
        guard let copy = BusDescriptor(copying: try number(type, Int32(-1))) else {
            throw .failed(doing: "keeping a descriptor of a D-Bus message", number: EMFILE)
        }
        return .descriptor(copy)
    }

    private func unread(_ type: CChar) throws(BusError) -> BusValue {
        let signature = String(UnicodeScalar(UInt8(bitPattern: type)))
        try check(sd_bus_message_skip(message, signature), "skipping a D-Bus value")
        return .other(signature: signature)
    }
}
