/// PnP ID, characteristic 0x2A50 (GATT Specification Supplement, "PnP ID").
public struct PnPID: Hashable, Sendable {
    public enum VendorSource: UInt8, Hashable, Sendable {
        case bluetooth = 1
        case usb = 2
    }

    public let vendorSource: OpenCode<VendorSource>
    public let vendor: UInt16
    public let product: UInt16
    public let version: UInt16

    public init(from reader: inout ByteReader) throws(DecodeError) {
        vendorSource = OpenCode(try reader.uint8("vendor ID source"))
        vendor = try reader.uint16("vendor ID")
        product = try reader.uint16("product ID")
        version = try reader.uint16("product version")
    }
}
