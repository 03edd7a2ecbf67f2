/// `mty`: what kind of message it is.
public enum SCAIPMessageType: String, Hashable, Sendable {
    case message = "ME"
    case reset = "RE"
    case heartbeat = "PI"
}

/// `dty`: what reports. Those of the list that this box has a use for.
public enum SCAIPDeviceType: String, Hashable, Sendable {
    case localUnitAndController = "0002"
    case personalTrigger = "0003"
    case fallDetector = "0005"
    case epilepsyAlarm = "0017"
    case heartRateMonitor = "0019"
    case monitoringDevice = "0049"
}

/// `stc`: what it reports.
public enum SCAIPStatusCode: String, Hashable, Sendable {
    case abort = "0002"
    case automaticAlarm = "0009"
    case manualAlarm = "0010"
    case alert = "0011"
    case cancel = "0019"
    case disconnected = "0031"
    case highLevel = "0046"
    case lowLevel = "0064"
    /// "Test transmission over the primary channel": heartbeats of devices in the field carry it, and drills.
    case testTransmission = "0102"
    case interventionComplete = "0111"
}

/// `dco`: which part of the device.
public enum SCAIPDeviceComponent: String, Hashable, Sendable {
    case button1 = "002"
}

/// `lco`: where.
public enum SCAIPLocationCode: String, Hashable, Sendable {
    case home = "002"
    case geoAttached = "034"
    case gpsAttached = "035"
}
