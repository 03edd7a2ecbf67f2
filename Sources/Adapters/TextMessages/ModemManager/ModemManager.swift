/// Names of ModemManager's D-Bus API, 1.6 to 1.20 and newer.
enum ModemManager {
    static let service = "org.freedesktop.ModemManager1"
    static let root = "/org/freedesktop/ModemManager1"
    static let modem = "org.freedesktop.ModemManager1.Modem"
    static let messaging = "org.freedesktop.ModemManager1.Modem.Messaging"
    static let sms = "org.freedesktop.ModemManager1.Sms"
    static let objects = "org.freedesktop.DBus.ObjectManager"
}
