import Testing

@testable import WireFormats

@Suite struct BluetoothUUIDTests {
    @Test func anAssignedNumberIsShownAsBlueZShowsIt() {
        #expect(BluetoothUUID(assigned: 0x2A37).description == "00002a37-0000-1000-8000-00805f9b34fb")
        #expect(BluetoothUUID(assigned: 0x0001).description == "00000001-0000-1000-8000-00805f9b34fb")
    }

    @Test func upperCaseIsTheSame() {
        #expect(BluetoothUUID("00002A37-0000-1000-8000-00805F9B34FB") == .heartRateMeasurement)
    }

    @Test(arguments: [
        "", "2a37", "00002a37-0000-1000-8000-00805f9b34f", "0000ｱa37-0000-1000-8000-00805f9b34fb",
    ])
    func whatIsNoUUIDIsRefused(_ text: String) {
        #expect(BluetoothUUID(text) == nil)
    }
}
