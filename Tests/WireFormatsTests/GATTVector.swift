/// Bytes that a decoder has to understand, with where they come from.
struct GATTVector: Sendable, CustomStringConvertible {
    enum Provenance: Sendable {
        /// Computed by hand from the characteristic's table in the GATT Specification Supplement.
        case supplement
        /// The words that HL7's Personal Health Device guide ("FLOATS") and Nordic's unit tests list.
        case hl7
        /// Sent by a real device, as shown in the public issue of another project.
        case capture
    }

    let decoder: String
    let bytes: [UInt8]
    let provenance: Provenance

    var description: String { "\(decoder) \(bytes)" }

    init(_ decoder: String, _ hex: String, _ provenance: Provenance = .supplement) {
        self.decoder = decoder
        bytes = [UInt8](hex: hex)
        self.provenance = provenance
    }

    static let all = [
        GATTVector("MedFloat16", "02 00", .hl7),
        GATTVector("MedFloat16", "14 F0", .hl7),
        GATTVector("MedFloat16", "C8 E0", .hl7),
        GATTVector("MedFloat16", "2E 0B", .hl7),
        GATTVector("MedFloat16", "FF 07", .hl7),
        GATTVector("MedFloat16", "FF F7", .hl7),
        GATTVector("MedFloat32", "6E 01 00 FF", .hl7),
        GATTVector("MedFloat32", "88 90 00 FD", .hl7),
        GATTVector("MedFloat32", "FF FF 7F 00", .hl7),
        GATTVector("DateTime", "EA 07 01 0F 08 1E 00"),
        GATTVector("CurrentTime", "EA 07 01 0F 08 1E 00 04 80 02"),
        GATTVector("LocalTimeInformation", "04 04"),
        GATTVector("HeartRateMeasurement", "00 48"),
        GATTVector("HeartRateMeasurement", "06 48"),
        GATTVector("HeartRateMeasurement", "04 00"),
        GATTVector("HeartRateMeasurement", "16 4A 2E 03 48 03"),
        GATTVector("HeartRateMeasurement", "1F 2C 01 10 27 CD 00"),
        GATTVector("HeartRateMeasurement", "10 3C 00 04"),
        GATTVector(
            "BloodPressureMeasurement", "1E 78 00 50 00 5D 00 E8 07 06 17 0E 23 0A 48 00 01 04 00"),
        GATTVector("BloodPressureMeasurement", "00 78 00 50 00 5D 00"),
        GATTVector("BloodPressureMeasurement", "01 A0 F0 6B F0 7C F0"),
        GATTVector(
            "BloodPressureMeasurement", "16 FF 07 FF 07 FF 07 E8 07 06 17 0E 23 0A FF 07 00 00", .capture),
        GATTVector("EnhancedBloodPressureMeasurement", "62 80 00 52 00 61 00 80 CD 08 2E A0 E9 08 2E"),
        GATTVector("TemperatureMeasurement", "00 6E 01 00 FF"),
        GATTVector("TemperatureMeasurement", "06 71 0E 00 FE EA 07 01 0F 08 1E 00 06"),
        GATTVector("TemperatureMeasurement", "01 DA 03 00 FF"),
        GATTVector("TemperatureMeasurement", "00 FF FF 7F 00"),
        GATTVector("PLXSpotCheckMeasurement", "00 62 00 48 00"),
        GATTVector(
            "PLXSpotCheckMeasurement", "1F 61 00 41 00 EA 07 01 0F 08 1E 00 A0 00 20 00 00 2D F0"),
        GATTVector("PLXSpotCheckMeasurement", "00 FF 07 FF 07"),
        GATTVector("PLXContinuousMeasurement", "00 60 00 46 00"),
        GATTVector("PLXContinuousMeasurement", "0D 60 00 46 00 61 00 47 00 20 20 00 08 00"),
        GATTVector("GlucoseMeasurement", "0B 05 00 EA 07 01 0F 08 1E 00 3C 00 5F B0 11 00 00"),
        GATTVector("GlucoseMeasurement", "06 06 00 EA 07 01 0F 08 2D 00 38 C0 11"),
        GATTVector("GlucoseMeasurement", "12 07 00 EA 07 01 0F 09 00 00 6E B0 19"),
        GATTVector(
            "GlucoseMeasurementContext", "FF 07 00 00 02 3C D0 01 21 08 07 4B 01 08 D0 3D F0"),
        GATTVector("RecordAccessControlPoint", "05 00 0C 00"),
        GATTVector("RecordAccessControlPoint", "06 00 01 01"),
        GATTVector("RecordAccessControlPoint", "06 00 01 06"),
        GATTVector("CGMMeasurement", "06 00 78 00 05 00"),
        GATTVector("CGMMeasurement", "0F E3 6E 00 0A 00 02 04 01 14 F0 64 00 BC C1"),
        GATTVector("CGMFeature", "00 80 01 59 FF FF"),
        GATTVector("CGMSessionStartTime", "EA 07 01 0F 08 1E 00 04 00"),
        GATTVector("WeightMeasurement", "00 98 3A"),
        GATTVector("WeightMeasurement", "0E 98 3A EA 07 01 0F 08 1E 00 02 F5 00 D6 06"),
        GATTVector("WeightMeasurement", "01 98 3A"),
        GATTVector("BodyCompositionMeasurement", "00 00 D7 00"),
        GATTVector(
            "BodyCompositionMeasurement", "9E 06 D7 00 EA 07 01 0F 08 1E 00 01 40 1A A4 01 E0 2E 88 13 98 3A"),
        GATTVector("RSCMeasurement", "00 00 03 50"),
        GATTVector("RSCMeasurement", "07 80 03 5A 82 00 10 27 00 00"),
        GATTVector("LocationAndSpeed", "C4 00 35 C2 15 1B A5 89 79 05 EA 07 01 0F 08 1E 00"),
        GATTVector("LocationAndSpeed", "9F 00 F4 01 E8 03 00 35 C2 15 1B A5 89 79 05 D4 30 00 28 23"),
        GATTVector("PositionQuality", "A9 00 08 2C 01 00 00 05"),
        GATTVector("BatteryLevel", "55"),
        GATTVector("DeviceInformationString", "48 52 4D 31 20 00"),
    ]
}

extension [UInt8] {
    /// Bytes as people write them: pairs of digits with blanks between.
    init(hex: String) {
        self = hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
}
