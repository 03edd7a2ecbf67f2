/// The services this gateway uses, and what it uses of each (the service specifications' tables "Characteristics";
/// numbers from Bluetooth Assigned Numbers). Pure data: the radio learns here what to subscribe and what to read.
///
/// Left out is what nothing here decodes or writes, such as navigation or the control point of a CGM session.
public struct GATTProfile: Hashable, Sendable {
    public struct Role: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let read = Role(rawValue: 1 << 0)
        /// With response.
        public static let write = Role(rawValue: 1 << 1)
        public static let writeWithoutResponse = Role(rawValue: 1 << 2)
        public static let notify = Role(rawValue: 1 << 3)
        /// Confirmed by the receiver: a record that is not, comes again.
        public static let indicate = Role(rawValue: 1 << 4)
    }

    public struct Characteristic: Hashable, Sendable {
        public let uuid: BluetoothUUID
        public let role: Role
        /// Whether a device with the service must have it. Where one of several must be there, none is mandatory.
        public let isMandatory: Bool

        init(_ uuid: BluetoothUUID, _ role: Role, mandatory isMandatory: Bool = false) {
            self.uuid = uuid
            self.role = role
            self.isMandatory = isMandatory
        }
    }

    public let service: BluetoothUUID
    public let title: String
    /// In the order in which to subscribe and read.
    public let characteristics: [Characteristic]

    init(_ service: UInt16, _ title: String, _ characteristics: [Characteristic]) {
        self.service = BluetoothUUID(assigned: service)
        self.title = title
        self.characteristics = characteristics
    }

    /// What to subscribe, in this order.
    public var subscriptions: [BluetoothUUID] {
        characteristics.filter { !$0.role.isDisjoint(with: [.notify, .indicate]) }.map(\.uuid)
    }

    /// Nil for a service this gateway does not use.
    public static func of(service: BluetoothUUID) -> GATTProfile? {
        all.first { $0.service == service }
    }

    public static let all = [
        GATTProfile(
            0x180D, "Heart Rate",
            [
                Characteristic(.heartRateMeasurement, .notify, mandatory: true),
                Characteristic(.bodySensorLocation, .read),
                Characteristic(.heartRateControlPoint, .write),
            ]),
        GATTProfile(
            0x1810, "Blood Pressure",
            [
                Characteristic(.bloodPressureMeasurement, .indicate, mandatory: true),
                Characteristic(.intermediateCuffPressure, .notify),
                Characteristic(.enhancedBloodPressureMeasurement, .indicate),
                Characteristic(.enhancedIntermediateCuffPressure, .notify),
                Characteristic(.bloodPressureFeature, .read, mandatory: true),
            ]),
        GATTProfile(
            0x1809, "Health Thermometer",
            [
                Characteristic(.temperatureMeasurement, .indicate, mandatory: true),
                Characteristic(.intermediateTemperature, .notify),
                Characteristic(.temperatureType, .read),
                Characteristic(.measurementInterval, [.read, .write, .indicate]),
            ]),
        // One of the two measurements must be there.
        GATTProfile(
            0x1822, "Pulse Oximeter",
            [
                Characteristic(.plxSpotCheckMeasurement, .indicate),
                Characteristic(.plxContinuousMeasurement, .notify),
                Characteristic(.plxFeatures, .read, mandatory: true),
                Characteristic(.recordAccessControlPoint, [.write, .indicate]),
            ]),
        // The control point last: a request is refused until the other two are subscribed.
        GATTProfile(
            0x1808, "Glucose",
            [
                Characteristic(.glucoseMeasurement, .notify, mandatory: true),
                Characteristic(.glucoseMeasurementContext, .notify),
                Characteristic(.recordAccessControlPoint, [.write, .indicate], mandatory: true),
                Characteristic(.glucoseFeature, .read, mandatory: true),
            ]),
        GATTProfile(
            0x181F, "Continuous Glucose Monitoring",
            [
                Characteristic(.cgmMeasurement, .notify, mandatory: true),
                Characteristic(.recordAccessControlPoint, [.write, .indicate], mandatory: true),
                Characteristic(.cgmFeature, .read, mandatory: true),
                Characteristic(.cgmSessionStartTime, [.read, .write], mandatory: true),
                Characteristic(.cgmSessionRunTime, .read, mandatory: true),
            ]),
        GATTProfile(
            0x181D, "Weight Scale",
            [Characteristic(.weightMeasurement, .indicate, mandatory: true)]),
        GATTProfile(
            0x181B, "Body Composition",
            [Characteristic(.bodyCompositionMeasurement, .indicate, mandatory: true)]),
        GATTProfile(
            0x1814, "Running Speed and Cadence",
            [Characteristic(.rscMeasurement, .notify, mandatory: true)]),
        GATTProfile(
            0x1819, "Location and Navigation",
            [
                Characteristic(.locationAndSpeed, .notify, mandatory: true),
                Characteristic(.positionQuality, .read),
            ]),
        // How it is sent was found in no source but its service's pattern.
        GATTProfile(
            0x183E, "Physical Activity Monitor",
            [Characteristic(.generalActivityInstantaneousData, .notify)]),
        GATTProfile(
            0x180F, "Battery",
            [Characteristic(.batteryLevel, [.read, .notify], mandatory: true)]),
        GATTProfile(
            0x180A, "Device Information",
            [
                Characteristic(.manufacturerNameString, .read),
                Characteristic(.modelNumberString, .read),
                Characteristic(.serialNumberString, .read),
                Characteristic(.hardwareRevisionString, .read),
                Characteristic(.firmwareRevisionString, .read),
                Characteristic(.softwareRevisionString, .read),
                Characteristic(.systemID, .read),
                Characteristic(.pnpID, .read),
            ]),
        GATTProfile(
            0x1805, "Current Time",
            [
                Characteristic(.currentTime, [.read, .write, .notify], mandatory: true),
                Characteristic(.localTimeInformation, [.read, .write]),
                Characteristic(.referenceTimeInformation, .read),
            ]),
        GATTProfile(
            0x1802, "Immediate Alert",
            [Characteristic(.alertLevel, .writeWithoutResponse, mandatory: true)]),
        GATTProfile(
            0x1803, "Link Loss",
            [Characteristic(.alertLevel, [.read, .write], mandatory: true)]),
        GATTProfile(
            0x1804, "Tx Power",
            [Characteristic(.txPowerLevel, .read, mandatory: true)]),
    ]
}
