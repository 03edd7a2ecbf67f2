import GatewayModel
import SOSLocal
import Testing

/// The chart of NEWS2 (Royal College of Physicians, 2017): both ends of each band.
@Suite struct `The early warning score` {
    private func points(
        _ kind: QuantityKind, _ value: Double, isOnOxygen: Bool = false, usesSecondScale: Bool = false
    ) -> Int {
        let score = EarlyWarningScore(
            EarlyWarningScore.Observations(
                values: [kind: value], isOnOxygen: isOnOxygen, usesSecondScale: usesSecondScale))
        return score.points - (isOnOxygen ? 2 : 0)
    }

    @Test(arguments: [
        (3.0, 3), (8, 3), (9, 1), (11, 1), (12, 0), (20, 0), (21, 2), (24, 2), (25, 3), (60, 3),
    ])
    func `of respiration`(value: Double, expected: Int) {
        #expect(points(.respirationRate, value) == expected)
    }

    @Test(arguments: [(50.0, 3), (91, 3), (92, 2), (93, 2), (94, 1), (95, 1), (96, 0), (100, 0)])
    func `of oxygen saturation, scale 1, with oxygen or without`(value: Double, expected: Int) {
        #expect(points(.oxygenSaturation, value) == expected)
        #expect(points(.oxygenSaturation, value, isOnOxygen: true) == expected)
    }

    @Test(arguments: [
        (83.0, 3, 3), (84, 2, 2), (85, 2, 2), (86, 1, 1), (87, 1, 1), (88, 0, 0), (92, 0, 0), (93, 0, 1),
        (94, 0, 1), (95, 0, 2), (96, 0, 2), (97, 0, 3), (100, 0, 3),
    ])
    func `of oxygen saturation, scale 2, on air and on oxygen`(value: Double, onAir: Int, onOxygen: Int) {
        #expect(points(.oxygenSaturation, value, usesSecondScale: true) == onAir)
        #expect(points(.oxygenSaturation, value, isOnOxygen: true, usesSecondScale: true) == onOxygen)
    }

    @Test(arguments: [
        (40.0, 3), (90, 3), (91, 2), (100, 2), (101, 1), (110, 1), (111, 0), (219, 0), (220, 3), (280, 3),
    ])
    func `of systolic pressure`(value: Double, expected: Int) {
        #expect(points(.systolicPressure, value) == expected)
    }

    @Test(arguments: [
        (20.0, 3), (40, 3), (41, 1), (50, 1), (51, 0), (90, 0), (91, 1), (110, 1), (111, 2), (130, 2), (131, 3),
    ])
    func `of the pulse`(value: Double, expected: Int) {
        #expect(points(.heartRate, value) == expected)
    }

    @Test(arguments: [
        (28.0, 3), (35, 3), (35.04, 3), (35.05, 1), (35.1, 1), (36, 1), (36.1, 0), (38, 0), (38.1, 1), (39, 1),
        (39.1, 2), (44, 2),
    ])
    func `of the temperature, charted in tenths`(value: Double, expected: Int) {
        #expect(points(.bodyTemperature, value) == expected)
    }

    @Test func `adds up what is known, two for oxygen, and says how much that is`() {
        let score = EarlyWarningScore(
            EarlyWarningScore.Observations(
                values: [.heartRate: 115, .systolicPressure: 105, .bodyTemperature: 38.5, .glucose: 20],
                isOnOxygen: true))
        #expect(score.points == 2 + 1 + 1 + 2)
        #expect(score.parameters == 4 && !score.hasThree)
        let nothing = EarlyWarningScore(EarlyWarningScore.Observations(values: [:]))
        #expect(nothing.points == 0 && nothing.parameters == 1 && !nothing.warns(from: 5))
    }

    @Test func `warns from its limit on, and of one parameter that scores 3`() {
        func warns(_ values: [QuantityKind: Double]) -> Bool {
            EarlyWarningScore(EarlyWarningScore.Observations(values: values)).warns(from: 5)
        }
        #expect(!warns([.heartRate: 115, .systolicPressure: 95]))
        #expect(warns([.heartRate: 115, .systolicPressure: 95, .bodyTemperature: 38.5]))
        #expect(warns([.heartRate: 131]))
    }
}
