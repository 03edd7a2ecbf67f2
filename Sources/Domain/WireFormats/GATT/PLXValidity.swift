/// What the status fields of a pulse oximeter make of its values.
public enum PLXValidity: Hashable, Sendable {
    case valid
    /// To be shown as doubtful.
    case questionable
    /// Not a measurement of a person: no sensor on the finger, a demonstration, a malfunction.
    case invalid

    /// The project's own reading of the bits; the service leaves it to the collector.
    public init(_ status: PLXMeasurementStatus?, _ device: PLXDeviceAndSensorStatus?) {
        let useless: PLXMeasurementStatus = [
            .dataForDemonstration, .dataForTesting, .measurementUnavailable, .invalidMeasurement,
        ]
        let blind: PLXDeviceAndSensorStatus = [
            .equipmentMalfunction, .inadequateSignal, .nonpulsatileSignal, .sensorUnconnectedToUser,
            .unknownSensorConnected, .sensorDisplaced, .sensorMalfunctioning, .sensorDisconnected,
        ]
        let doubtful: PLXDeviceAndSensorStatus = [
            .poorSignal, .lowPerfusion, .erraticSignal, .questionablePulse,
        ]
        let status = status ?? []
        let device = device ?? []
        self =
            !status.isDisjoint(with: useless) || !device.isDisjoint(with: blind)
            ? .invalid
            : status.contains(.questionableMeasurement) || !device.isDisjoint(with: doubtful)
                ? .questionable : .valid
    }
}
