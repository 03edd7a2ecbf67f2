import CSystemd
import Glibc

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
